import { expect, test } from "vitest";
import { slotRate } from "../domain/bind-share.ts";
import { RateLimit } from "./rate-limit.ts";

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

test.each([
	[1, 1],
	[10, 4],
	[49, 3],
	[100, 4],
	[1_000, 7],
])(
	"%i per second over %i connections that change hands are never exceeded in any second",
	(perSecond, binds) => {
		const parts = Array.from({ length: binds }, (_, slot) =>
			slotRate(perSecond, slot, binds),
		);
		const holders = [0, 1, 2].map(() => new RateLimit(0, 0));
		const times: number[] = [];
		const shareOf = (holder: number, moved: number) =>
			parts.reduce(
				(sum, part, slot) =>
					(slot + moved) % holders.length === holder ? sum + part : sum,
				0,
			);
		for (let now = 0; now < 12_000; now++) {
			const [moved, since] = [Math.floor(now / 1_700), now % 1_700];
			for (const [holder, limit] of holders.entries()) {
				const [before, after] = [moved - 1, moved].map((turn) =>
					shareOf(holder, turn),
				) as [number, number];
				if (since === 0) limit.change(Math.min(before, after), now);
				if (since === 1_000) limit.change(after, now);
				while (limit.take(now)) times.push(now);
			}
		}
		for (const [i, time] of times.entries())
			expect((times[i + perSecond] ?? Infinity) - time).toBeGreaterThanOrEqual(
				999,
			);
		expect(times.length).toBeGreaterThan(perSecond * 12 * 0.3);
	},
);
