import { describe, expect, test } from "vitest";
import {
	judgeReceipts,
	type MinuteCounts,
	type ReceiptCounts,
	type ReceiptVerdict,
} from "./judge-receipts.ts";

const NOW = new Date("2026-03-01T12:00:30Z");

/** Minutes by how many ago they began: submissions, how many have ended, and how long each took, s. */
type Minutes = Readonly<Record<number, readonly [number, number, number?]>>;

function counts(submitted: number, ended: number, delayS = 2): ReceiptCounts {
	return { submitted, ended, receiptSeconds: ended * delayS };
}

function judge(
	minutes: Minutes,
	past: ReceiptCounts = counts(10_000, 9_500),
): ReceiptVerdict {
	const startOfMinute = NOW.getTime() - (NOW.getTime() % 60_000);
	const listed = Object.entries(minutes).map(
		([ago, given]): MinuteCounts => ({
			...counts(...given),
			minute: new Date(startOfMinute - Number(ago) * 60_000),
		}),
	);
	return judgeReceipts({ minutes: listed, past }, NOW);
}

/** The last `count` minutes alike, the current one included. */
function each(count: number, ...given: Minutes[number]): Minutes {
	return Object.fromEntries(
		Array.from({ length: count }, (_, ago) => [ago, given]),
	);
}

describe("receipts that come as they used to", () => {
	test.each<[string, Minutes, ReceiptCounts?]>([
		["every minute", each(60, 1_000, 950)],
		["to few submissions", each(60, 1, 1)],
		[
			"but for the current minute and the one before",
			{ ...each(10, 1_000, 950), 0: [1_000, 0], 1: [1_000, 0] },
		],
		["half as often", each(10, 1_000, 480)],
		[
			"after three times their delay",
			{ ...each(4, 1_000, 0), 4: [1_000, 900, 60], 5: [1_000, 950, 60] },
			counts(10_000, 9_500, 60),
		],
	])("are coming: %s", (_, minutes, past) => {
		expect(judge(minutes, past)).toBe("coming");
	});
});

describe("receipts that come no more", () => {
	test.each<[string, Minutes, ReceiptCounts?]>([
		["of one whole minute", { 0: [500, 0], 1: [1_000, 0], 2: [1_000, 0] }],
		["of 22 messages of as many minutes", each(25, 1, 0)],
		[
			"but for one in five that used to come",
			each(10, 1_000, 190),
			counts(1_000_000, 950_000),
		],
		[
			"though the minute in which it began had some",
			{ ...each(3, 1_000, 0), 3: [1_000, 500], 4: [1_000, 950] },
		],
		[
			"of a route that works since three minutes",
			{ ...each(3, 1_000, 0), 3: [1_000, 950], 4: [1_000, 950] },
			counts(0, 0),
		],
		["where three of ten used to come", each(10, 100, 0), counts(1_000, 300)],
		["of a few submissions an hour ago", { 50: [30, 0] }],
		["of tries since", { 1: [1, 0], 2: [2, 0], 3: [2, 0], 30: [1_000, 0] }],
	])("are missing: %s", (_, minutes, past) => {
		expect(judge(minutes, past)).toBe("missing");
	});
});

describe("after a silence", () => {
	const SILENCE: Minutes = { 8: [9_000, 0], 9: [9_000, 0] };

	test.each<[string, Minutes]>([
		["three submissions have their receipts", { ...SILENCE, 0: [3, 3] }],
		["a try a minute has its receipt", { ...SILENCE, ...each(5, 1, 1) }],
		[
			"tries had theirs, and many submissions are too young for one",
			{ ...SILENCE, 0: [9_000, 10], 1: [5, 5] },
		],
		["the operator sends the old ones", { 8: [9_000, 8_000], 9: [9_000, 0] }],
	])("receipts come again as soon as %s", (_, minutes) => {
		expect(judge(minutes)).toBe("coming");
	});

	test("receipts come again also when all of a day before were missing", () => {
		expect(judge({ ...each(60, 10, 0), 0: [3, 3] }, counts(900, 0))).toBe(
			"coming",
		);
	});

	test("two receipts are not enough", () => {
		expect(judge({ ...SILENCE, 0: [2, 2] })).toBe("missing");
	});
});

describe("nothing is decided", () => {
	test.each<[string, Minutes, ReceiptCounts?]>([
		["of a route without a past", each(10, 1_000, 0), counts(0, 0)],
		["of a route whose receipts never came", each(5, 9, 0), counts(900, 0)],
		["of a past of few submissions", each(5, 9, 0), counts(60, 60)],
		["while nothing is submitted", {}],
		["of fewer than 20 receipts that should have come", each(15, 1, 0)],
		["within a receipt's time", each(2, 9_000, 0)],
		[
			"where receipts take longer than five minutes",
			each(60, 1_000, 0),
			counts(10_000, 9_000, 310),
		],
	])("%s", (_, minutes, past) => {
		expect(judge(minutes, past)).toBe("undecided");
	});
});
