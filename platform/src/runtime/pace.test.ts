import { expect, test } from "vitest";
import { entryShare, nextShare, restMs, urgentShare } from "./pace.ts";

const half = { fullAt: 500, share: () => 0.5 };

test("a round rests in proportion to what it took, and not for long", () => {
	expect(restMs(half, 10, 300)).toBe(10);
	expect(restMs({ ...half, share: () => 0.1 }, 10, 300)).toBeCloseTo(90);
	expect(restMs(half, 10_000, 300)).toBe(200);
	expect(restMs({ ...half, longestRestMs: 900 }, 10_000, 300)).toBe(900);
});

test("250 items a second go through, however busy the machine", () => {
	const busy = { fullAt: 500, share: () => 0.01, longestRestMs: 900 };
	expect(restMs(busy, 100, 1)).toBe(4);
	expect(restMs(busy, 100, 25)).toBe(100);
});

test("a full round is followed at once", () => {
	expect(restMs(half, 10, 500)).toBe(0);
});

test("the share falls while the CPUs are busy, rises while they idle, and keeps within its bounds", () => {
	expect(nextShare(0.3, 0)).toBeLessThan(0.3);
	expect(nextShare(0.3, 0.5)).toBeGreaterThan(0.3);
	let [busy, idle] = [0.3, 0.3];
	for (let stretch = 0; stretch < 100; stretch++) {
		busy = nextShare(busy, 0);
		idle = nextShare(idle, 1);
	}
	expect(busy).toBeGreaterThan(0);
	expect(idle).toBeLessThanOrEqual(1);
});

test("a share that a burst has lowered comes back, whatever is idle above what it leaves", () => {
	for (const idle of [0.31, 0.5, 1]) {
		let share = 0.01;
		for (let stretch = 0; stretch < 100; stretch++)
			share = nextShare(share, idle, { leaves: 0.3, lowest: 0.01 });
		expect(share).toBe(0.5);
	}
});

test("the machine's spare time gives a share when none is set", () => {
	expect(restMs({ fullAt: 500 }, 10, 1)).toBeGreaterThan(0);
});

test("what has waited long enters with the highest share, whatever the machine does", () => {
	const share = entryShare(() => 60_000);
	for (let stretch = 0; stretch < 100; stretch++) expect(share()).toBe(0.5);
});

test("and each second that it has waited counts the same", () => {
	expect(urgentShare(0.1, 0)).toBe(0.1);
	expect(urgentShare(0.1, 3_750)).toBeCloseTo(0.2);
	expect(urgentShare(0.1, 7_500)).toBeCloseTo(0.3);
	expect(urgentShare(0.1, 15_000)).toBe(0.5);
});

test("a share gives way early where its bounds say so", () => {
	const entry = { leaves: 0.3, lowest: 0.01 };
	expect(nextShare(0.3, 0.2, entry)).toBeLessThan(0.3);
	let share = 0.3;
	for (let stretch = 0; stretch < 100; stretch++)
		share = nextShare(share, 0, entry);
	expect(share).toBe(0.01);
});
