import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^at_live_[0-9A-Za-z]{38}$/;
const CHECKSUM_CHARACTERS = 6;

/**
 * True when a key has the form `at_live_`, 32 base62 characters, 6 base62 characters of the CRC-32
 * of all that precedes. Says nothing about whether the key exists.
 */
export function isWellFormedApiKey(key: string): boolean {
	return (
		FORM.test(key) &&
		key.endsWith(apiKeyChecksum(key.slice(0, -CHECKSUM_CHARACTERS)))
	);
}

/** CRC-32 (IEEE 802.3) of the text in 6 base62 digits, most significant first, padded with "0". */
export function apiKeyChecksum(text: string): string {
	let rest = crc32(text);
	let digits = "";
	for (let place = 0; place < CHECKSUM_CHARACTERS; place++) {
		digits = BASE62[rest % 62] + digits;
		rest = Math.floor(rest / 62);
	}
	return digits;
}

export interface KeyHeaders {
	readonly authorization?: string | undefined;
	readonly "x-api-key"?: string | string[] | undefined;
}

export type PresentedKey =
	| { readonly kind: "key"; readonly key: string }
	| { readonly kind: "missing" }
	| { readonly kind: "malformed" };

const MISSING: PresentedKey = { kind: "missing" };
const MALFORMED: PresentedKey = { kind: "malformed" };
const BEARER = /^bearer +(\S+) *$/i;

/**
 * The one well-formed key that a request presents, in `Authorization: Bearer` or `x-api-key`.
 * Two headers that differ are malformed, so that nobody has to guess which one counted.
 */
export function presentedKey(headers: KeyHeaders): PresentedKey {
	const { authorization, "x-api-key": direct } = headers;
	if (authorization === undefined && direct === undefined) return MISSING;
	const bearer =
		authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
	if (authorization !== undefined && bearer === undefined) return MALFORMED;
	const key = direct ?? bearer;
	if (typeof key !== "string" || (bearer !== undefined && bearer !== key))
		return MALFORMED;
	return isWellFormedApiKey(key) ? { kind: "key", key } : MALFORMED;
}
