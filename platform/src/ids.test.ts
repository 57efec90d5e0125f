import { expect, test } from "vitest";
import { isUuid, randomBase62, uuidv7, uuidv7Time } from "./ids.ts";

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
	expect(uuidv7Time(id).getTime()).toBe(future);
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
