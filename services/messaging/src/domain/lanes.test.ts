import { expect, test } from "vitest";
import { LANES, type Lane, type LaneLimits, LaneShares } from "./lanes.ts";

const MANY = 1_000;

/** How many of so many segments each lane gets, one at a time, while these lanes have work. */
function serve(
	shares: LaneShares,
	waiting: readonly Lane[],
	segments: number,
): number[] {
	const got = [0, 0, 0];
	for (let n = 0; n < segments; n++) {
		const [next] = shares.inTurn(waiting);
		if (next === undefined) throw new Error("Nothing waits.");
		shares.took(next, 1);
		got[next] = (got[next] ?? 0) + 1;
	}
	return got;
}

test.each<[Lane[], number[]]>([
	[
		[0, 1, 2],
		[500, 300, 200],
	],
	[
		[0, 2],
		[714, 0, 286],
	],
	[
		[1, 2],
		[0, 600, 400],
	],
	[[2], [0, 0, 1_000]],
])(
	"lanes %j share 1,000 segments as %j: what others do not need is lent",
	(waiting, expected) => {
		const got = serve(new LaneShares(), waiting, MANY);
		for (const lane of LANES)
			expect(Math.abs((got[lane] ?? 0) - (expected[lane] ?? 0))).toBeLessThan(
				2,
			);
	},
);

test("one-time passwords are next at once, however long bulk had everything", () => {
	const shares = new LaneShares();
	serve(shares, [2], MANY);
	expect(shares.inTurn([0, 1, 2])[0]).toBe(0);
	shares.took(0, 1);
	expect(shares.inTurn([0, 1, 2])[0]).toBe(1);
});

test("a lane that had no work has saved up nothing", () => {
	const shares = new LaneShares();
	serve(shares, [2], MANY);
	const [otp = 0, , bulk = 0] = serve(shares, [0, 2], 70);
	expect(Math.abs(otp - 50)).toBeLessThan(2);
	expect(Math.abs(bulk - 20)).toBeLessThan(2);
});

test.each([1, 2, 3, 7, 100])(
	"shares are the same where %i segments are allotted at a time",
	(segments) => {
		const shares = new LaneShares();
		const got = [0, 0, 0];
		for (let sum = 0; sum < MANY; sum += segments) {
			const allotted = shares.allot(segments, [MANY, MANY, MANY]);
			for (const lane of LANES) {
				got[lane] = (got[lane] ?? 0) + allotted[lane];
			}
			shares.tookTogether(allotted);
		}
		const [otp = 0, normal = 0, bulk = 0] = got;
		expect(otp / MANY).toBeCloseTo(0.5, 1);
		expect(normal / MANY).toBeCloseTo(0.3, 1);
		expect(bulk / MANY).toBeCloseTo(0.2, 1);
	},
);

test.each<[number, LaneLimits, LaneLimits]>([
	[10, [0, 0, 100], [0, 0, 10]],
	[10, [1, 0, 100], [1, 0, 9]],
	[10, [100, 0, 0], [10, 0, 0]],
	[10, [2, 3, 2], [2, 3, 2]],
	[0, [5, 5, 5], [0, 0, 0]],
])("of %i segments, at most %j, lanes get %j", (segments, most, expected) => {
	expect(new LaneShares().allot(segments, most)).toEqual(expected);
});

test.each([0, 2] as const)(
	"lane %i, which took a whole window while it was alone, has its share at once when another has work",
	(alone) => {
		const shares = new LaneShares();
		const window: [number, number, number] = [0, 0, 0];
		window[alone] = 500;
		shares.tookTogether(window);
		const [otp = 0, , bulk = 0] = serve(shares, [0, 2], 70);
		expect(Math.abs(otp - 50)).toBeLessThan(2);
		expect(Math.abs(bulk - 20)).toBeLessThan(2);
	},
);

test("what lanes took together counts for each by its share", () => {
	const shares = new LaneShares();
	shares.tookTogether([50, 0, 20]);
	const [otp = 0, , bulk = 0] = serve(shares, [0, 2], 70);
	expect(Math.abs(otp - 50)).toBeLessThan(2);
	expect(Math.abs(bulk - 20)).toBeLessThan(2);
});

test("long messages count by their segments", () => {
	const shares = new LaneShares();
	let [otp, bulk] = [0, 0];
	for (let n = 0; n < MANY; n++) {
		const [next] = shares.inTurn([0, 2]);
		if (next === 0) otp += 3;
		else bulk += 1;
		shares.took(next === 0 ? 0 : 2, next === 0 ? 3 : 1);
	}
	expect(bulk / (otp + bulk)).toBeCloseTo(2 / 7, 1);
});
