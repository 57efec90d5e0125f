import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { DELIVERY_TRANSITIONS, publicState } from "./delivery-state.ts";
import { ENDPOINT_TRANSITIONS } from "./endpoint-state.ts";
import { eventTypeOf } from "./event-type.ts";

const migration = await readFile(
	new URL("../../migrations/0001_webhooks.sql", import.meta.url),
	"utf8",
);

it.each([
	["status", ENDPOINT_TRANSITIONS],
	["state", DELIVERY_TRANSITIONS],
])("the %s words are the same here and in the migration", (column, table) => {
	const check = new RegExp(`check \\(${column} in \\(([^)]*)\\)\\)`);
	const words = check.exec(migration)?.[1]?.match(/\w+/g);
	expect(words).toEqual(Object.keys(table));
});

it("a delivery that is being sent is pending to an operator", () => {
	expect(publicState("sending")).toBe("pending");
	expect(publicState("dead")).toBe("dead");
});

it("only final outcomes have an event type", () => {
	expect(eventTypeOf("delivered")).toBe("message.delivered");
	expect(eventTypeOf("failed")).toBe("message.failed");
	expect(eventTypeOf("submitted")).toBeUndefined();
});
