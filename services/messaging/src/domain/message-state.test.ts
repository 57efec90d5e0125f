import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
	MESSAGE_STATES,
	NEXT_MESSAGE_STATES,
	statesBefore,
} from "./message-state.ts";

test("no state leads back to an earlier one", () => {
	for (const [index, state] of MESSAGE_STATES.entries())
		for (const next of NEXT_MESSAGE_STATES[state])
			expect(MESSAGE_STATES.indexOf(next)).toBeGreaterThan(index);
});

test("delivered, failed and canceled are final", () => {
	for (const end of ["delivered", "failed", "canceled"] as const)
		expect(NEXT_MESSAGE_STATES[end]).toEqual([]);
});

test("every state but the first can be reached", () => {
	for (const state of MESSAGE_STATES.slice(1))
		expect(statesBefore(state)).not.toEqual([]);
});

test("the migration's check names the same states", async () => {
	const file = new URL("../../migrations/0015_scheduled.sql", import.meta.url);
	const check = /add constraint messages_status check \(([^;]*?)\n\)/.exec(
		await readFile(file, "utf8"),
	);
	const words = check?.[1]?.match(/'(\w+)'/g)?.map((word) => word.slice(1, -1));
	expect(words).toEqual([...MESSAGE_STATES]);
});
