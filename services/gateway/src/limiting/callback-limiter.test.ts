import { expect, test } from "vitest";
import { createCallbackLimiter } from "./callback-limiter.ts";
import { createFailureLimiter } from "./failure-limiter.ts";

const MEBIBYTE = 1_048_576;

function limiterAllowing(forgeries: number) {
	return createCallbackLimiter(createFailureLimiter(forgeries, () => 1));
}

/** Callbacks that an address has under way until no more is let in. */
function fill(
	limiter: ReturnType<typeof limiterAllowing>,
	address: string,
	bytes = 1,
) {
	const slots = [];
	for (;;) {
		const slot = limiter.admit(address);
		if (!slot?.takeBytes(bytes) || !slot.takeCall()) return slots;
		slots.push(slot);
	}
}

test("an address has so many callbacks under way, and others theirs", () => {
	const limiter = limiterAllowing(1);
	const slots = fill(limiter, "10.0.0.1");
	expect(slots).toHaveLength(64);
	expect(fill(limiter, "10.0.0.2")).toHaveLength(64);
	slots[0]?.release();
	slots[0]?.release();
	expect(fill(limiter, "10.0.0.1")).toHaveLength(1);
});

test("an address has so many bytes under way, and others theirs", () => {
	const limiter = limiterAllowing(1);
	expect(fill(limiter, "10.0.0.1", 3 * MEBIBYTE)).toHaveLength(5);
	expect(fill(limiter, "10.0.0.2", 3 * MEBIBYTE)).toHaveLength(5);
});

test("all addresses together have so many callbacks and bytes under way", () => {
	const small = limiterAllowing(1);
	const large = limiterAllowing(1);
	const addresses = Array.from({ length: 9 }, (_, nth) => `10.0.1.${nth}`);
	const count = (limiter: typeof small, bytes: number) =>
		addresses.flatMap((one) => fill(limiter, one, bytes)).length;
	expect(count(small, 1)).toBe(192);
	expect(count(large, 3 * MEBIBYTE)).toBe(21);
});

test("an address that forged callbacks has few under way, none of its genuine ones is shut out", () => {
	const limiter = limiterAllowing(2);
	for (let forged = 0; forged < 2; forged++) {
		const slot = limiter.admit("10.0.0.1");
		slot?.recordForgery();
		slot?.release();
	}
	expect(fill(limiter, "10.0.0.1")).toHaveLength(4);
	expect(fill(limiter, "10.0.0.2")).toHaveLength(64);
});

test("hosts of one IPv6 network count together", () => {
	const limiter = limiterAllowing(1);
	expect(fill(limiter, "2001:db8::1")).toHaveLength(64);
	expect(limiter.admit("2001:db8::2")).toBeUndefined();
	expect(limiter.admit("2001:db8:0:1::1")).toBeDefined();
});

test("a callback whose body has not come takes no call and no bytes", () => {
	const limiter = limiterAllowing(1);
	const waiting = Array.from({ length: 1_000 }, () =>
		limiter.admit("10.0.0.1"),
	);
	const genuine = limiter.admit("10.0.0.1");
	expect(genuine?.takeBytes(3 * MEBIBYTE) && genuine.takeCall()).toBe(true);
	expect(waiting).not.toContain(undefined);
});
