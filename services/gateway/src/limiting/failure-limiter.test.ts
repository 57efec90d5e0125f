import { expect, test } from "vitest";
import { createFailureLimiter } from "./failure-limiter.ts";

test("an address is blocked after its failures, until its minute is over", () => {
	let now = 1_000_000;
	const limiter = createFailureLimiter(2, () => now);
	limiter.recordFailure("a");
	now += 10_000;
	expect(limiter.blockedForMs("a")).toBe(0);
	limiter.recordFailure("a");
	expect(limiter.blockedForMs("a")).toBe(50_000);
	expect(limiter.blockedForMs("b")).toBe(0);
	now += 50_001;
	expect(limiter.blockedForMs("a")).toBe(0);
	for (let count = 0; count < 2; count++) limiter.recordFailure("a");
	expect(limiter.blockedForMs("a")).toBe(60_000);
});

test("no number of addresses makes it grow without end", () => {
	const limiter = createFailureLimiter(1, () => 1);
	for (let host = 0; host < 20_000; host++)
		limiter.recordFailure(
			`10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`,
		);
	expect(limiter.blockedForMs("10.0.0.0")).toBe(0);
	expect(limiter.blockedForMs("10.0.78.31")).toBeGreaterThan(0);
});
