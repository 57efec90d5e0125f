import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { ReceivedCallback } from "../load/receiver.ts";

/** How old a callback may be, seconds: older ones may be replays of a stranger. */
const TOLERANCE_S = 300;

/** True when the ready-made library accepts the callback; the key is the secret's own bytes. */
export function verifiesWithLibrary(
	secret: string,
	{ body, headers }: ReceivedCallback,
): boolean {
	try {
		new Webhook(secret, { format: "raw" }).verify(
			body,
			headers as Record<string, string>,
		);
		return true;
	} catch {
		return false;
	}
}

/** The same by hand, in six lines: HMAC-SHA256 over `<timestamp>.<raw body>`, in hex. */
export function verifiesByHand(
	secret: string,
	{ body, headers }: ReceivedCallback,
	nowMs: number = Date.now(),
): boolean {
	const timestamp = headers["x-service-timestamp"] ?? "";
	const given = headers["x-service-signature"] ?? "";
	const expected = createHmac("sha256", secret)
		.update(`${timestamp}.${body}`)
		.digest("hex");
	const isFresh = Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_S;
	return isFresh && isEqual(given, expected);
}

function isEqual(given: string, expected: string): boolean {
	const [a, b] = [Buffer.from(given), Buffer.from(expected)];
	return a.length === b.length && timingSafeEqual(a, b);
}
