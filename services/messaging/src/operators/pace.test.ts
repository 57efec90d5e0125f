import { expect, test } from "vitest";
import { Pace } from "./pace.ts";
import { defaultLimits } from "./session/smpp-limits.ts";

interface World {
	readonly processes: number;
	/** What the operator takes in that second, and what it takes at once after a rest. */
	readonly rate: (second: number) => number;
	readonly burst: number;
	/** New segments in a second, of all processes. */
	readonly offered: number;
	readonly responseMs: number;
	readonly seconds: number;
}

interface Sender {
	readonly pace: Pace;
	readonly inFlight: { readonly at: number; readonly isTaken: boolean }[];
	waiting: number;
}

const WORLD: World = {
	processes: 1,
	rate: () => 100,
	burst: 10,
	offered: 200,
	responseMs: 40,
	seconds: 70,
};

/** What an operator with a token bucket takes and throttles, second by second of a clock that nobody waits for. */
function run(options: Partial<World>) {
	const world = { ...WORLD, ...options };
	const { processes, rate, burst, offered, responseMs, seconds } = world;
	const senders = Array.from({ length: processes }, (): Sender => {
		return { pace: new Pace(defaultLimits), inFlight: [], waiting: 0 };
	});
	const taken: number[] = [];
	const throttled: number[] = [];
	let tokens = burst;

	function respond({ pace, inFlight }: Sender, now: number): void {
		while (inFlight[0] !== undefined && inFlight[0].at + responseMs <= now) {
			const { at, isTaken } = inFlight[0];
			inFlight.shift();
			if (isTaken) pace.took(at, now);
			else pace.throttled(at, now);
		}
	}

	function write(sender: Sender, now: number): void {
		sender.waiting += offered / processes / 1_000;
		while (sender.waiting >= 1 && sender.pace.waitMs(now) === 0) {
			sender.waiting--;
			sender.pace.wrote(now);
			const isTaken = tokens >= 1;
			if (isTaken) tokens--;
			const counts = isTaken ? taken : throttled;
			const second = Math.floor(now / 1_000);
			counts[second] = (counts[second] ?? 0) + 1;
			sender.inFlight.push({ at: now, isTaken });
		}
	}

	for (let now = 0; now < seconds * 1_000; now++) {
		const perSecond = rate(Math.floor(now / 1_000));
		tokens = Math.min(burst, tokens + perSecond / 1_000);
		for (const sender of senders) respond(sender, now);
		// Whoever comes first gets what is left: they take turns.
		for (const nth of senders.keys()) {
			const sender = senders[(nth + now) % processes];
			if (sender !== undefined) write(sender, now);
		}
	}
	const average = (counts: number[], from: number, to: number) => {
		let sum = 0;
		for (let second = from; second < to; second++) sum += counts[second] ?? 0;
		return sum / (to - from);
	};
	return {
		/** In a second, on average over those. */
		taken: (from: number, to: number) => average(taken, from, to),
		throttled: (from: number, to: number) => average(throttled, from, to),
	};
}

test.each([
	[1, 10, 40],
	[1, 10, 500],
	[1, 100, 40],
	[3, 10, 40],
	[3, 10, 500],
	[3, 100, 40],
])(
	"offered 200/s by %i processes, an operator of 100/s (%i at once, response after %i ms) takes 90 to 100/s from the first seconds on",
	(processes, burst, responseMs) => {
		const { taken, throttled } = run({ processes, burst, responseMs });
		for (let from = 10; from < 70; from += 10) {
			expect(taken(from, from + 10)).toBeGreaterThanOrEqual(90);
			// What it had saved may come on top once.
			expect(taken(from, from + 10)).toBeLessThanOrEqual(100 + burst / 10);
		}
		expect(throttled(10, 70)).toBeLessThan(2);
	},
);

test("the pace follows an operator that takes less, then more", () => {
	const { taken, throttled } = run({
		rate: (second) => (second < 40 ? 100 : second < 80 ? 20 : 400),
		seconds: 170,
	});
	expect(taken(20, 40)).toBeGreaterThanOrEqual(90);
	expect(taken(50, 80)).toBeGreaterThanOrEqual(18);
	expect(throttled(50, 80)).toBeLessThan(2);
	expect(taken(120, 170)).toBeGreaterThanOrEqual(360);
});

test("an operator that throttles everything is asked ever more rarely, by one segment at a time, and soon used again", () => {
	const { taken, throttled } = run({
		rate: (second) => (second < 120 ? 0 : 100),
		burst: 10,
		seconds: 200,
	});
	expect(throttled(0, 10) * 10).toBeLessThan(40);
	expect(throttled(20, 120) * 100).toBeLessThanOrEqual(6);
	expect(throttled(20, 120)).toBeGreaterThan(0);
	expect(taken(160, 200)).toBeGreaterThanOrEqual(90);
});

test("each pause is twice as long while nothing is taken, up to 30 s, and short again after", () => {
	const pace = new Pace(defaultLimits);
	let now = 0;
	const throttle = () => {
		now += pace.waitMs(now);
		pace.wrote(now);
		pace.throttled(now, now);
		return pace.pauseMs(now);
	};
	const pauses = Array.from({ length: 9 }, throttle);
	expect(pauses).toEqual([
		300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 30_000, 30_000,
	]);
	now += pace.waitMs(now);
	pace.wrote(now);
	expect(pace.waitMs(now)).toBe(1_000);
	pace.took(now, now + 10);
	expect(pace.waitMs(now + 10)).toBe(0);
	expect(throttle()).toBe(300);
});

test("responses to what was written before the last decrease have the same cause", () => {
	const pace = new Pace(defaultLimits);
	pace.took(0, 100);
	pace.throttled(50, 100);
	expect([pace.perSecond(100), pace.pauseMs(100)]).toEqual([50, 300]);
	pace.throttled(90, 350);
	pace.throttled(99, 1_000);
	expect(pace.pauseMs(1_000)).toBe(0);
	expect(pace.perSecond(1_000)).toBeGreaterThanOrEqual(50);
	pace.took(1_001, 1_100);
	pace.throttled(1_001, 1_100);
	expect(pace.perSecond(1_100)).toBeLessThan(60);
	expect(pace.pauseMs(1_100)).toBe(300);
});

test("a pause is as long as the operator asks, also where it asks again within one", () => {
	const pace = new Pace(defaultLimits);
	pace.throttled(0, 0, 5_000);
	expect(pace.waitMs(0)).toBe(5_000);
	pace.throttled(0, 1_000, 10_000);
	expect(pace.waitMs(1_000)).toBe(10_000);
	expect(pace.mostAhead(1_000)).toBe(0);
});

test("one throttled response of an operator that takes little sets no pace below 50 a second, and none where nothing was taken", () => {
	const idle = new Pace(defaultLimits);
	idle.throttled(0, 10);
	expect(idle.perSecond(400)).toBeUndefined();
	const slow = new Pace(defaultLimits);
	slow.took(0, 5);
	slow.throttled(6, 10);
	expect(slow.perSecond(10)).toBe(50);
});

test("without throttling the pace grows by a share a second, faster after 15 s, and is gone after 60 s", () => {
	const pace = new Pace(defaultLimits);
	for (let now = 0; now < 1_000; now += 10) pace.took(now, now);
	pace.throttled(1_000, 1_000);
	pace.took(2_000, 2_000);
	pace.throttled(2_000, 2_000);
	const start = pace.perSecond(2_000) ?? 0;
	const grown = (seconds: number) =>
		(pace.perSecond(2_000 + seconds * 1_000) ?? 0) / start;
	expect(grown(10)).toBeCloseTo(1.05);
	expect(grown(15)).toBeCloseTo(1.075);
	expect(grown(16)).toBeCloseTo(1.075 * 1.2);
	expect(pace.perSecond(61_999)).toBeGreaterThan(1_000);
	expect(pace.perSecond(62_000)).toBeUndefined();
});

test("an operator throttles since its first throttled response, until it has not for 15 s", () => {
	const pace = new Pace(defaultLimits);
	expect(pace.throttledSince(0)).toBeUndefined();
	for (let now = 1_000; now <= 60_000; now += 10_000) {
		pace.took(now - 1, now - 1);
		pace.throttled(now, now);
	}
	expect(pace.throttledSince(60_000)).toBe(1_000);
	expect(pace.throttledSince(65_999)).toBe(1_000);
	expect(pace.throttledSince(66_000)).toBeUndefined();
	pace.throttled(70_000, 70_000);
	expect(pace.throttledSince(70_000)).toBe(70_000);
});
