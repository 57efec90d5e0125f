import { expect, test } from "vitest";
import { randomBase62 } from "./base62.ts";
import { isUuid, uuidv7 } from "./ids.ts";

function timeOf(id: string): number {
	return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

test("ids of one process are distinct and in order, also within a millisecond", () => {
	const ids = Array.from({ length: 20_000 }, () => uuidv7());
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toEqual([...ids].sort());
});

test("an id is a version 7 UUID and holds its time", () => {
	const future = Date.now() + 60_000;
	const id = uuidv7(future);
	expect(id).toMatch(
		/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
	);
	expect(timeOf(id)).toBe(future);
});

test.each([5_001, 3_600_000])(
	"ids follow a clock that was ahead and is set back by %i ms",
	(step) => {
		const now = Date.now() + 10 * 3_600_000;
		uuidv7(now + step);
		for (const passed of [0, 0, 1, 2_000])
			expect(timeOf(uuidv7(now + passed))).toBe(now + passed);
	},
);

test("a clock that is set back by 5 s or less leaves the ids in order", () => {
	const now = Date.now() + 20 * 3_600_000;
	const times = [0, -1, -5_000, -4_000, -1, 0, 1];
	const ids = times.map((passed) => uuidv7(now + passed));
	expect(ids).toEqual([...ids].sort());
	expect(timeOf(ids[5] ?? "")).toBe(now);
});

test("ids of a time that the clock runs through twice are distinct", () => {
	const now = Date.now() + 30 * 3_600_000;
	const run = () => Array.from({ length: 1_000 }, (_, i) => uuidv7(now + i));
	const first = run();
	uuidv7(now + 3_600_000);
	expect(new Set([...first, ...run()]).size).toBe(2_000);
});

test("only whole UUIDs count as such", () => {
	expect(isUuid(uuidv7())).toBe(true);
	expect(isUuid(`${uuidv7()}0`)).toBe(false);
	expect(isUuid("")).toBe(false);
});

test("base62 text has the asked length and alphabet", () => {
	for (const length of [0, 1, 32, 43])
		expect(randomBase62(length)).toMatch(
			new RegExp(`^[0-9A-Za-z]{${length}}$`),
		);
});
