import { describe, expect, it } from "vitest";
import {
	MAX_RETRY_AFTER_MS,
	parseRetryAfter,
	retryDelayMs,
} from "./verdict.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("the retry schedule", () => {
	it.each([
		[1, 5_000],
		[2, MINUTE_MS],
		[3, 5 * MINUTE_MS],
		[4, 30 * MINUTE_MS],
		[5, 2 * HOUR_MS],
		[6, 5 * HOUR_MS],
		[7, 10 * HOUR_MS],
		[8, 10 * HOUR_MS],
	])("waits after attempt %i for %i ms, give or take 20 %%", (attempt, ms) => {
		expect(retryDelayMs(attempt, 0)).toBe(ms * 0.8);
		expect(retryDelayMs(attempt, 0.5)).toBe(ms);
		expect(retryDelayMs(attempt, 1)).toBe(ms * 1.2);
	});

	it("ends with the ninth attempt", () => {
		expect(retryDelayMs(9, 0.5)).toBeUndefined();
		expect(retryDelayMs(9, 0.5, HOUR_MS)).toBeUndefined();
		expect(retryDelayMs(12, 0.5)).toBeUndefined();
	});

	it("waits as long as the receiver asks, but never less than the schedule", () => {
		expect(retryDelayMs(1, 0.5, HOUR_MS)).toBe(HOUR_MS);
		expect(retryDelayMs(5, 0.5, 1_000)).toBe(2 * HOUR_MS);
	});

	it("waits at most a day for a receiver", () => {
		expect(retryDelayMs(1, 0.5, 90 * 24 * HOUR_MS)).toBe(MAX_RETRY_AFTER_MS);
	});
});

describe("a Retry-After header", () => {
	const now = new Date("2026-01-02T03:04:05Z");

	it.each([
		[undefined, 0],
		["120", 120_000],
		[" 7 ", 7_000],
		["0", 0],
		["Fri, 02 Jan 2026 03:05:05 GMT", 60_000],
		["Fri, 02 Jan 2026 03:00:00 GMT", 0],
		["-5", 0],
		["1.5", 0],
		["soon", 0],
		["", 0],
	])("%s means %i ms", (header, ms) => {
		expect(parseRetryAfter(header, now)).toBe(ms);
	});
});
