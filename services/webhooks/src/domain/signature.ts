import { createHmac } from "node:crypto";
import { randomBase62 } from "@airtower/platform/runtime/base62";

const SECRET_PREFIX = "at_whsec_";
const SECRET_LENGTH = 43;
const USER_AGENT = "Airtower-Webhooks/1.0";

/** 256 bits. */
export function newSigningSecret(): string {
	return SECRET_PREFIX + randomBase62(SECRET_LENGTH);
}

export interface Callback {
	readonly eventId: string;
	/** The exact text that is sent. */
	readonly body: string;
	/** The whole `at_whsec_...` string: its bytes are the key of both signatures. */
	readonly secret: string;
	/** Unix seconds of this attempt. */
	readonly timestamp: number;
}

/** Lowercase hex HMAC-SHA256 of `<timestamp>.<raw_body>` (public API, section 6). */
export function serviceSignature(callback: Callback): string {
	return createHmac("sha256", callback.secret)
		.update(`${callback.timestamp}.${callback.body}`)
		.digest("hex");
}

/** `v1,<base64>` over `<id>.<timestamp>.<raw_body>` (Standard Webhooks 1.0.0, symmetric). */
export function standardSignature(callback: Callback): string {
	const digest = createHmac("sha256", callback.secret)
		.update(`${callback.eventId}.${callback.timestamp}.${callback.body}`)
		.digest("base64");
	return `v1,${digest}`;
}

/** Names and values in turn. */
export function callbackHeaders(callback: Callback): string[] {
	const timestamp = String(callback.timestamp);
	return [
		"content-type",
		"application/json; charset=utf-8",
		"user-agent",
		USER_AGENT,
		"x-service-event-id",
		callback.eventId,
		"x-service-timestamp",
		timestamp,
		"x-service-signature",
		serviceSignature(callback),
		"webhook-id",
		callback.eventId,
		"webhook-timestamp",
		timestamp,
		"webhook-signature",
		standardSignature(callback),
	];
}
