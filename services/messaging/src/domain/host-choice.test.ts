import { expect, test } from "vitest";
import { chooseFirst, hasHeld, leaveHost, seeFirst } from "./host-choice.ts";

const MINUTE = 60_000;

test("hosts take over in their order, and the first after the last", () => {
	let choice = chooseFirst(MINUTE);
	const used = [0, 1, 2].map((host) => {
		choice = leaveHost(choice, host, 3);
		return choice.at;
	});
	expect(used).toEqual([1, 2, 0]);
});

test("several attempts that fail at one host move on by one host", () => {
	const choice = leaveHost(chooseFirst(MINUTE), 0, 3);
	expect(leaveHost(choice, 0, 3)).toBe(choice);
	expect(choice.at).toBe(1);
});

test("a host without another stays", () => {
	expect(leaveHost(chooseFirst(MINUTE), 0, 1).at).toBe(0);
});

test("the first host is used again once it has taken connections for a minute without a gap", () => {
	let choice = leaveHost(chooseFirst(MINUTE), 0, 2);
	const looks: [isUp: boolean, now: number, at: number][] = [
		[false, 0, 1],
		[true, 10_000, 1],
		[true, 69_999, 1],
		[false, 69_999, 1],
		[true, 80_000, 1],
		[true, 139_999, 1],
		[true, 140_000, 0],
	];
	for (const [isUp, now, at] of looks) {
		choice = seeFirst(choice, isUp, now);
		expect(choice.at).toBe(at);
		expect(hasHeld(choice, now)).toBe(at === 0);
	}
});

test("what is at other hosts is not moved while the first one takes no connections, whatever is chosen", () => {
	const choice = seeFirst(chooseFirst(MINUTE), true, 0);
	expect(hasHeld(choice, 59_999)).toBe(false);
	expect(hasHeld(seeFirst(choice, false, 60_000), 60_000)).toBe(false);
});

test("a first host that takes connections and cannot be bound is tried again after twice the time, at most an hour", () => {
	let choice = chooseFirst(MINUTE);
	let now = 0;
	const waits = Array.from({ length: 8 }, () => {
		choice = leaveHost(choice, 0, 2);
		const from = now;
		choice = seeFirst(choice, true, now);
		while (choice.at !== 0) {
			now += 10_000;
			choice = seeFirst(choice, true, now);
		}
		return (now - from) / MINUTE;
	});
	expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});
