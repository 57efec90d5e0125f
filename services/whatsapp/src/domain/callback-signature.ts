import { createHmac } from "node:crypto";
import { isSameSecret } from "@airtower/platform/sealing/same-secret";

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
