import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { NEXT_ROUTE_STATES, ROUTE_STATES } from "./route-state.ts";

test("every state can be left and every state can be reached", () => {
	const reached = new Set(Object.values(NEXT_ROUTE_STATES).flat());
	expect(reached).toEqual(new Set(ROUTE_STATES));
	for (const state of ROUTE_STATES)
		expect(NEXT_ROUTE_STATES[state]).not.toEqual([]);
});

test("a route is never removed while it takes new messages", () => {
	expect(NEXT_ROUTE_STATES.active).not.toContain("removed");
});

test("the migration's check names the same states", async () => {
	const file = new URL("../../migrations/0006_routes.sql", import.meta.url);
	const check = /constraint routes_state check \(([^;]*?)\)\n/.exec(
		await readFile(file, "utf8"),
	);
	const words = check?.[1]?.match(/'(\w+)'/g)?.map((word) => word.slice(1, -1));
	expect(words).toEqual([...ROUTE_STATES]);
});
