import { expect, it } from "vitest";
import { eventBody } from "./event-body.ts";

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
