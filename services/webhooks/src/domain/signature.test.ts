import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
	callbackHeaders,
	newSigningSecret,
	serviceSignature,
	standardSignature,
} from "./signature.ts";

const CALLBACK = {
	eventId: "019ab000-0000-7000-8000-000000000001",
	body: '{"id":"019ab000-0000-7000-8000-000000000001","note":"é"}',
	secret: "at_whsec_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg",
	timestamp: 1_700_000_000,
};

function headersOf(callback: typeof CALLBACK): Record<string, string> {
	const flat = callbackHeaders(callback);
	return Object.fromEntries(
		Array.from({ length: flat.length / 2 }, (_, i) => [
			flat[2 * i],
			flat[2 * i + 1],
		]),
	);
}

describe("the signatures of a callback", () => {
	it("match vectors computed with openssl", () => {
		expect(serviceSignature(CALLBACK)).toBe(
			"370219f72e68d10521af849c842a5f242e008d4059e13df8158bb26592b23680",
		);
		expect(standardSignature(CALLBACK)).toBe(
			"v1,uFSTF5tiLnyIMlPxoov01soC8vZIt1rX+P1GT+236lA=",
		);
	});

	it("are verified by the standardwebhooks package, given the secret as raw text", () => {
		const current = {
			...CALLBACK,
			timestamp: Math.floor(Date.now() / 1_000),
		};
		const webhook = new Webhook(current.secret, { format: "raw" });
		expect(webhook.verify(current.body, headersOf(current))).toEqual(
			JSON.parse(current.body),
		);
	});

	it("are verified by any Standard Webhooks library, given the secret in base64", () => {
		const current = {
			...CALLBACK,
			timestamp: Math.floor(Date.now() / 1_000),
		};
		const key = Buffer.from(current.secret).toString("base64");
		for (const secret of [key, `whsec_${key}`])
			expect(() =>
				new Webhook(secret).verify(current.body, headersOf(current)),
			).not.toThrow();
		expect(() =>
			new Webhook(key).verify(`${current.body} `, headersOf(current)),
		).toThrow();
	});

	it("change with the body, the time and the secret", () => {
		const others = [
			{ ...CALLBACK, body: `${CALLBACK.body} ` },
			{ ...CALLBACK, timestamp: CALLBACK.timestamp + 1 },
			{ ...CALLBACK, secret: `${CALLBACK.secret}x` },
		];
		for (const other of others) {
			expect(serviceSignature(other)).not.toBe(serviceSignature(CALLBACK));
			expect(standardSignature(other)).not.toBe(standardSignature(CALLBACK));
		}
	});

	it("come with the event's id, the time and both families of names", () => {
		expect(headersOf(CALLBACK)).toMatchObject({
			"content-type": "application/json; charset=utf-8",
			"user-agent": expect.stringMatching(/^Airtower/),
			"x-service-event-id": CALLBACK.eventId,
			"x-service-timestamp": "1700000000",
			"x-service-signature": serviceSignature(CALLBACK),
			"webhook-id": CALLBACK.eventId,
			"webhook-timestamp": "1700000000",
			"webhook-signature": standardSignature(CALLBACK),
		});
	});
});

it("a signing secret is at_whsec_ and 43 base62 characters, new each time", () => {
	const secrets = new Set(Array.from({ length: 100 }, newSigningSecret));
	expect(secrets.size).toBe(100);
	for (const secret of secrets)
		expect(secret).toMatch(/^at_whsec_[0-9A-Za-z]{43}$/);
});
