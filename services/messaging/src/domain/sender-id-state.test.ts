import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { NEXT_SENDER_ID_STATES, SENDER_ID_STATES } from "./sender-id-state.ts";

test("every state can be left and every state can be reached", () => {
	const reached = new Set(Object.values(NEXT_SENDER_ID_STATES).flat());
	expect(reached).toEqual(new Set(SENDER_ID_STATES));
	for (const state of SENDER_ID_STATES)
		expect(NEXT_SENDER_ID_STATES[state]).not.toEqual([]);
});

test("the migration's check names the same states", async () => {
	const file = new URL("../../migrations/0002_sender_ids.sql", import.meta.url);
	const check = /constraint sender_ids_status check \(([^;]*?)\)\n/.exec(
		await readFile(file, "utf8"),
	);
	const words = check?.[1]?.match(/'(\w+)'/g)?.map((word) => word.slice(1, -1));
	expect(words).toEqual([...SENDER_ID_STATES]);
});
