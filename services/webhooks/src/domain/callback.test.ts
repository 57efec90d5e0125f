import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
	callbackHeaders,
	eventBody,
	type Secrets,
	serviceSignature,
	standardSignature,
	toStandardSecret,
} from "./callback.ts";

const OUTCOME = {
	messageId: "019ab000-0000-7000-8000-000000000002",
	channel: "sms",
	status: "delivered",
	to: "+33612345678",
	clientReference: "order-7",
	campaignId: "",
	errorCode: "",
	errorMessage: "",
	occurredAt: new Date("2026-01-02T03:04:05.006Z"),
};
const EVENT = {
	id: "019ab000-0000-7000-8000-000000000001",
	type: "message.delivered",
	createdAt: new Date("2026-01-02T03:04:06Z"),
	outcome: OUTCOME,
};

it("a delivered message's body has the documented fields in the documented order", () => {
	expect(eventBody(EVENT)).toBe(
		'{"id":"019ab000-0000-7000-8000-000000000001","type":"message.delivered","created_at":"2026-01-02T03:04:06.000Z",' +
			'"data":{"message_id":"019ab000-0000-7000-8000-000000000002","channel":"sms","status":"delivered","to":"+33612345678",' +
			'"client_reference":"order-7","campaign_id":null,"error":null,"occurred_at":"2026-01-02T03:04:05.006Z"}}',
	);
});

it("a failed message's body says why", () => {
	const body = eventBody({
		...EVENT,
		type: "message.failed",
		outcome: {
			...OUTCOME,
			status: "failed",
			clientReference: "",
			campaignId: "019ab000-0000-7000-8000-000000000003",
			errorCode: "undeliverable",
			errorMessage: "The recipient cannot be reached.",
		},
	});
	expect(JSON.parse(body).data).toMatchObject({
		status: "failed",
		client_reference: null,
		campaign_id: "019ab000-0000-7000-8000-000000000003",
		error: {
			code: "undeliverable",
			message: "The recipient cannot be reached.",
		},
	});
});

const CALLBACK = {
	eventId: "019ab000-0000-7000-8000-000000000001",
	body: '{"id":"019ab000-0000-7000-8000-000000000001","note":"é"}',
	timestamp: 1_700_000_000,
};
const SECRET = "at_whsec_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";
const OLD_SECRET = "at_whsec_gfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA9876543210";
const OLDEST_SECRET = "at_whsec_000000000000000000000000000000000000000000a";

const current = () => ({
	...CALLBACK,
	timestamp: Math.floor(Date.now() / 1_000),
});

function headersOf(
	callback: typeof CALLBACK,
	secrets: Secrets = [SECRET],
): Record<string, string> {
	const flat = callbackHeaders(callback, secrets);
	return Object.fromEntries(
		Array.from({ length: flat.length / 2 }, (_, i) => [
			flat[2 * i],
			flat[2 * i + 1],
		]),
	);
}

describe("the signatures of a callback", () => {
	it("match vectors computed with openssl", () => {
		expect(serviceSignature(CALLBACK, SECRET)).toBe(
			"370219f72e68d10521af849c842a5f242e008d4059e13df8158bb26592b23680",
		);
		expect(standardSignature(CALLBACK, SECRET)).toBe(
			"v1,uFSTF5tiLnyIMlPxoov01soC8vZIt1rX+P1GT+236lA=",
		);
	});

	it("are verified by the standardwebhooks package, given the secret as raw text", () => {
		const callback = current();
		const webhook = new Webhook(SECRET, { format: "raw" });
		expect(webhook.verify(callback.body, headersOf(callback))).toEqual(
			JSON.parse(callback.body),
		);
	});

	it("are verified by the standardwebhooks package as it stands, given the standard form of the secret", () => {
		const callback = current();
		const standard = toStandardSecret(SECRET);
		expect(standard).toMatch(/^whsec_[A-Za-z0-9+/]+={0,2}$/);
		const webhook = new Webhook(standard);
		expect(webhook.verify(callback.body, headersOf(callback))).toEqual(
			JSON.parse(callback.body),
		);
		expect(() =>
			webhook.verify(`${callback.body} `, headersOf(callback)),
		).toThrow();
	});

	it("are made by every secret that still signs; the single-valued header keeps to the one receivers know", () => {
		const callback = current();
		const secrets: Secrets = [SECRET, OLD_SECRET, OLDEST_SECRET];
		const headers = headersOf(callback, secrets);
		for (const secret of secrets)
			expect(() =>
				new Webhook(toStandardSecret(secret)).verify(callback.body, headers),
			).not.toThrow();
		expect(headers["x-service-signature"]).toBe(
			serviceSignature(callback, OLDEST_SECRET),
		);
		expect(headers["x-service-signature-next"]).toBe(
			serviceSignature(callback, SECRET),
		);
		expect(headersOf(callback)).not.toHaveProperty("x-service-signature-next");
	});

	it("change with the body, the time and the secret", () => {
		const others = [
			[{ ...CALLBACK, body: `${CALLBACK.body} ` }, SECRET],
			[{ ...CALLBACK, timestamp: CALLBACK.timestamp + 1 }, SECRET],
			[CALLBACK, `${SECRET}x`],
		] as const;
		for (const [other, secret] of others) {
			expect(serviceSignature(other, secret)).not.toBe(
				serviceSignature(CALLBACK, SECRET),
			);
			expect(standardSignature(other, secret)).not.toBe(
				standardSignature(CALLBACK, SECRET),
			);
		}
	});

	it("come with the event's id, the time and both families of names", () => {
		expect(headersOf(CALLBACK)).toMatchObject({
			"content-type": "application/json; charset=utf-8",
			"user-agent": expect.stringMatching(/^Airtower/),
			"x-service-event-id": CALLBACK.eventId,
			"x-service-timestamp": "1700000000",
			"x-service-signature": serviceSignature(CALLBACK, SECRET),
			"webhook-id": CALLBACK.eventId,
			"webhook-timestamp": "1700000000",
			"webhook-signature": standardSignature(CALLBACK, SECRET),
		});
	});
});
