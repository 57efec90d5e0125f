import { createHmac } from "node:crypto";

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
