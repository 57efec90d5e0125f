import { describe, expect, it } from "vitest";
import { isSuspect, nextWindow, START_WINDOW } from "./endpoint-queues.ts";

const MAX = 64;
const windowAfter = (results: boolean[], from = START_WINDOW) =>
	results.reduce((window, ok) => nextWindow(window, ok, MAX), from);

describe("an endpoint's window", () => {
	it("grows by one per success up to the cap", () => {
		expect(windowAfter([true])).toBe(START_WINDOW + 1);
		expect(windowAfter(Array(200).fill(true))).toBe(MAX);
	});

	it("halves per failure and keeps room for two", () => {
		expect(windowAfter([false], 64)).toBe(32);
		expect(windowAfter(Array(20).fill(false))).toBe(2);
	});

	it("makes an endpoint suspect until it is back where a new one starts", () => {
		expect(isSuspect(START_WINDOW, MAX)).toBe(false);
		expect(isSuspect(windowAfter([false]), MAX)).toBe(true);
		expect(isSuspect(windowAfter([false, true, true, true, true]), MAX)).toBe(
			false,
		);
	});

	it("respects a cap below what a new endpoint gets", () => {
		expect(nextWindow(1, false, 1)).toBe(1);
		expect(isSuspect(1, 1)).toBe(false);
	});
});
