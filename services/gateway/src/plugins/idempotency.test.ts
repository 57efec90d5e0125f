import fc from "fast-check";
import { expect, test } from "vitest";
import {
	canonicalJson,
	isIdempotencyKey,
	requestFingerprint,
} from "./idempotency.ts";

const ROUTE = "/api/v1/sms/send";

test("the order of fields does not change a fingerprint", () => {
	const one = requestFingerprint("POST", ROUTE, {
		to: "+1",
		tags: [{ a: 1, b: 2 }],
	});
	const two = requestFingerprint("POST", ROUTE, {
		tags: [{ b: 2, a: 1 }],
		to: "+1",
		senderId: undefined,
	});
	expect(one).toEqual(two);
	expect(one.length).toBe(32);
});

test("method, route and every value change a fingerprint", () => {
	const prints = [
		requestFingerprint("POST", ROUTE, { to: "1" }),
		requestFingerprint("PUT", ROUTE, { to: "1" }),
		requestFingerprint("POST", "/api/v1/webhooks", { to: "1" }),
		requestFingerprint("POST", ROUTE, { to: 1 }),
		requestFingerprint("POST", ROUTE, { to: ["1"] }),
		requestFingerprint("POST", ROUTE, { to: "1", message: "" }),
	].map((print) => print.toString("hex"));
	expect(new Set(prints).size).toBe(prints.length);
});

test("canonical JSON says the same as JSON, for any value", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(JSON.parse(canonicalJson(value))).toEqual(
				JSON.parse(JSON.stringify(value)),
			);
		}),
	);
});

test.each([
	["a", true],
	["Order_1.2:3-4", true],
	["x".repeat(255), true],
	["x".repeat(256), false],
	["", false],
	["a b", false],
	["caf\u00e9", false],
	["a,b", false],
	["a\n", false],
])("idempotency key %j is accepted: %s", (key, accepted) => {
	expect(isIdempotencyKey(key)).toBe(accepted);
});
