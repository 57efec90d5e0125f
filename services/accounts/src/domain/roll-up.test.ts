import { expect, test } from "vitest";
import { type Line, rollUp } from "./roll-up.ts";

const line = (
	nth: number,
	kind: Line["kind"],
	units: number,
	more: Partial<Line> = {},
): Line => ({
	id: String(nth),
	createdAt: new Date(nth),
	channel: "sms",
	rolledUp: null,
	kind,
	units,
	...more,
});

const shape = (lines: readonly Line[]) =>
	rollUp(lines).map(({ last, units, count, others }) => ({
		last: last.id,
		units,
		count,
		others: others.map(({ id }) => id),
	}));

test("what follows one another becomes its last line, with the units of all", () => {
	const day = [
		line(1, "usage", -1),
		line(2, "usage", -1),
		line(3, "release", 1),
		line(4, "usage", -1),
	];
	expect(shape(day)).toEqual([
		{ last: "4", units: -2, count: 4, others: ["1", "2", "3"] },
	]);
});

test("a grant or an adjustment stays, and parts what is before it from what is after", () => {
	const day = [
		line(1, "usage", -1),
		line(2, "grant", 10),
		line(3, "usage", -1),
		line(4, "adjustment", -4),
	];
	expect(shape(day)).toEqual([
		{ last: "1", units: -1, count: 1, others: [] },
		{ last: "3", units: -1, count: 1, others: [] },
	]);
});

test("another channel is a line of its own", () => {
	const day = [
		line(1, "usage", -1),
		line(2, "usage", -1, { channel: "whatsapp" }),
	];
	expect(shape(day).map(({ last }) => last)).toEqual(["1", "2"]);
});

test("a line that was rolled up takes what follows it, and alone stays as it is", () => {
	const rolled = line(1, "usage", -5, { rolledUp: 7 });
	expect(shape([rolled])).toEqual([]);
	expect(shape([rolled, line(2, "usage", -1)])).toEqual([
		{ last: "2", units: -6, count: 8, others: ["1"] },
	]);
});
