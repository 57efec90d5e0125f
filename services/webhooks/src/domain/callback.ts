import { createHmac } from "node:crypto";
import type { DailyReport } from "@airtower/proto/accounts/v1/events";
import { publicDeliverySum } from "@airtower/proto/rules/delivery-sum";
import type { DisabledReason } from "./endpoint-state.ts";

interface Outcome {
	readonly messageId: string;
	readonly channel: string;
	readonly status: string;
	/** E.164 with "+". */
	readonly to: string;
	readonly clientReference: string;
	readonly campaignId: string;
	readonly errorCode: string;
	readonly errorMessage: string;
	readonly occurredAt: Date;
}

interface Head {
	readonly id: string;
	readonly type: string;
	readonly createdAt: Date;
}

interface PublicEvent extends Head {
	readonly outcome: Outcome;
}

/** The text that is stored, signed and sent. */
export function eventBody(event: PublicEvent): string {
	const { outcome } = event;
	return JSON.stringify({
		...publicHead(event),
		data: {
			message_id: outcome.messageId,
			channel: outcome.channel,
			status: outcome.status,
			to: outcome.to,
			client_reference: outcome.clientReference || null,
			campaign_id: outcome.campaignId || null,
			error: publicError(outcome),
			occurred_at: outcome.occurredAt.toISOString(),
		},
	});
}

interface ReceivedMessage {
	readonly messageId: string;
	/** E.164 with "+", a short code or a name. */
	readonly from: string;
	readonly to: string;
	readonly body: string;
	readonly encoding: string;
	readonly parts: number;
	readonly isComplete: boolean;
	/** Empty where there is none. */
	readonly keyword: string;
	readonly receivedAt: Date;
}

export function receivedBody({
	message,
	...head
}: Head & { readonly message: ReceivedMessage }): string {
	return JSON.stringify({
		...publicHead(head),
		data: {
			message_id: message.messageId,
			channel: "sms",
			from: message.from,
			to: message.to,
			text: message.body,
			encoding: message.encoding,
			parts: message.parts,
			is_complete: message.isComplete,
			keyword: message.keyword || null,
			received_at: message.receivedAt.toISOString(),
		},
	});
}

interface OptedOut {
	/** E.164 with "+". */
	readonly recipient: string;
	/** Empty for every sender of the organization. */
	readonly sender: string;
	readonly source: string;
	readonly occurredAt: Date;
}

export function optedOutBody({
	optedOut,
	...head
}: Head & { readonly optedOut: OptedOut }): string {
	return JSON.stringify({
		...publicHead(head),
		data: {
			recipient: optedOut.recipient,
			sender: optedOut.sender || null,
			source: optedOut.source,
			occurred_at: optedOut.occurredAt.toISOString(),
		},
	});
}

/** Its lines are those of `GET /reports/delivery` by day. */
export function dailyReportBody({
	report,
	...head
}: Head & { readonly report: Pick<DailyReport, "day" | "sums"> }): string {
	return JSON.stringify({
		...publicHead(head),
		data: { day: report.day, sums: report.sums.map(publicDeliverySum) },
	});
}

interface DisabledEvent {
	readonly id: string;
	readonly endpointId: string;
	readonly url: string;
	readonly reason: DisabledReason;
	readonly disabledAt: Date;
}

/** The body of a `webhook.disabled` event, which other endpoints of the organization get. */
export function disabledBody(event: DisabledEvent): string {
	const at = event.disabledAt.toISOString();
	return JSON.stringify({
		id: event.id,
		type: "webhook.disabled",
		created_at: at,
		data: {
			webhook_endpoint_id: event.endpointId,
			url: event.url,
			disabled_reason: event.reason,
			disabled_at: at,
		},
	});
}

function publicHead({ id, type, createdAt }: Head) {
	return { id, type, created_at: createdAt.toISOString() };
}

function publicError(outcome: Outcome) {
	if (outcome.errorCode === "") return null;
	return { code: outcome.errorCode, message: outcome.errorMessage };
}

const USER_AGENT = "Airtower-Webhooks/1.0";

/** The form that stock Standard Webhooks libraries take: they decode it to the bytes of the whole secret. */
export function toStandardSecret(signingSecret: string): string {
	return `whsec_${Buffer.from(signingSecret).toString("base64")}`;
}

interface Callback {
	readonly eventId: string;
	/** The exact text that is sent. */
	readonly body: string;
	/** Unix seconds of this attempt. */
	readonly timestamp: number;
}

/** Newest first; the bytes of each whole `at_whsec_...` string are a key of both signatures. */
export type Secrets = readonly [string, ...string[]];

/** Lowercase hex HMAC-SHA256 of `<timestamp>.<raw_body>` (public API, section 6). */
export function serviceSignature(
	{ timestamp, body }: Callback,
	secret: string,
): string {
	return createHmac("sha256", secret)
		.update(`${timestamp}.${body}`)
		.digest("hex");
}

/** `v1,<base64>` over `<id>.<timestamp>.<raw_body>` (Standard Webhooks 1.0.0, symmetric). */
export function standardSignature(
	{ eventId, timestamp, body }: Callback,
	secret: string,
): string {
	const digest = createHmac("sha256", secret)
		.update(`${eventId}.${timestamp}.${body}`)
		.digest("base64");
	return `v1,${digest}`;
}

/** Names and values in turn. */
export function callbackHeaders(
	callback: Callback,
	secrets: Secrets,
): string[] {
	const timestamp = String(callback.timestamp);
	const signatures = secrets.map((one) => standardSignature(callback, one));
	return Object.entries({
		"content-type": "application/json; charset=utf-8",
		"user-agent": USER_AGENT,
		"x-service-event-id": callback.eventId,
		"x-service-timestamp": timestamp,
		...serviceSignatures(callback, secrets),
		"webhook-id": callback.eventId,
		"webhook-timestamp": timestamp,
		"webhook-signature": signatures.join(" "),
	}).flat();
}

/** The header has one signature: after a rotation that of the secret which receivers already know. */
function serviceSignatures(
	callback: Callback,
	secrets: Secrets,
): Record<string, string> {
	const [newest] = secrets;
	const oldest = secrets.at(-1) ?? newest;
	const known = { "x-service-signature": serviceSignature(callback, oldest) };
	if (oldest === newest) return known;
	const next = serviceSignature(callback, newest);
	return { ...known, "x-service-signature-next": next };
}
