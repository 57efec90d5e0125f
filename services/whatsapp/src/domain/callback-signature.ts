import { createHash, createHmac, timingSafeEqual } from "node:crypto";

const PREFIX = "sha256=";

/** Verifies `X-Hub-Signature-256` (hex HMAC-SHA256 of the raw body) in constant time. */
export function isSignedBy(
	appSecret: string,
	body: Uint8Array,
	signature: string,
): boolean {
	const expected = `${PREFIX}${createHmac("sha256", appSecret).update(body).digest("hex")}`;
	return isSameSecret(signature, expected);
}

/** Compares in constant time; hashing makes the lengths equal and hides the real ones. */
export function isSameSecret(given: string, expected: string): boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(given), digest(expected));
}
