import { expect, test } from "vitest";
import { RateLimit } from "./smpp-rate.ts";

/** Times at which a limit lets segments pass when asked every millisecond for ten seconds. */
function passes(perSecond: number): number[] {
	const limit = new RateLimit(perSecond, 0);
	const times: number[] = [];
	for (let now = 0; now < 10_000; now++)
		while (limit.take(now)) times.push(now);
	return times;
}

test.each([1, 3, 10, 49, 100, 1_000, 5_000])(
	"%i per second is never exceeded in any second, and nearly reached",
	(perSecond) => {
		const times = passes(perSecond);
		for (const [i, time] of times.entries()) {
			const overflow = times[i + perSecond];
			if (overflow !== undefined)
				expect(overflow - time).toBeGreaterThanOrEqual(999);
		}
		expect(times.length).toBeGreaterThan(perSecond * 10 * 0.97 - 1);
	},
);

test("the wait it names is long enough and no longer", () => {
	const limit = new RateLimit(4, 0);
	expect(limit.waitMs(0)).toBe(0);
	expect(limit.take(0)).toBe(true);
	expect(limit.waitMs(0)).toBe(250);
	expect(limit.take(249)).toBe(false);
	expect(limit.take(250)).toBe(true);
});
