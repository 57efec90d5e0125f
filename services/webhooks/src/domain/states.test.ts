import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { toEventType } from "../consumers/index.ts";
import { NEXT_ENDPOINT_STATES } from "./endpoint-state.ts";

const migration = await readFile(
	new URL("../../migrations/0001_endpoints.sql", import.meta.url),
	"utf8",
);

it("the status words are the same here and in the migration", () => {
	const check = /check \(status in \(([^)]*)\)\)/;
	const words = check.exec(migration)?.[1]?.match(/\w+/g);
	expect(words).toEqual(Object.keys(NEXT_ENDPOINT_STATES));
});

it("only final outcomes have an event type", () => {
	expect(toEventType("delivered")).toBe("message.delivered");
	expect(toEventType("failed")).toBe("message.failed");
	expect(toEventType("canceled")).toBe("message.canceled");
	expect(toEventType("submitted")).toBeUndefined();
});
