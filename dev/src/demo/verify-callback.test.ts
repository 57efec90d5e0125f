import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { verifiesByHand, verifiesWithLibrary } from "./verify-callback.ts";

const SECRET = `at_whsec_${"a".repeat(43)}`;
const BODY = '{"id":"evt"}';

function signed(at: Date) {
	const timestamp = String(Math.floor(at.getTime() / 1_000));
	return {
		path: "/",
		receivedAt: at.getTime(),
		body: BODY,
		headers: {
			"x-service-timestamp": timestamp,
			"x-service-signature": createHmac("sha256", SECRET)
				.update(`${timestamp}.${BODY}`)
				.digest("hex"),
			"webhook-id": "evt",
			"webhook-timestamp": timestamp,
			"webhook-signature": new Webhook(SECRET, { format: "raw" }).sign(
				"evt",
				at,
				BODY,
			),
		},
	};
}

it("accepts what was signed with the secret", () => {
	const callback = signed(new Date());
	expect(verifiesByHand(SECRET, callback)).toBe(true);
	expect(verifiesWithLibrary(SECRET, callback)).toBe(true);
});

it("refuses another body, another secret and an old callback", () => {
	const callback = signed(new Date());
	const changed = { ...callback, body: '{"id":"evl"}' };
	const old = signed(new Date(Date.now() - 600_000));
	for (const verifies of [verifiesByHand, verifiesWithLibrary]) {
		expect(verifies(SECRET, changed)).toBe(false);
		expect(verifies(`${SECRET}b`, callback)).toBe(false);
		expect(verifies(SECRET, old)).toBe(false);
	}
});
