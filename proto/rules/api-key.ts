import { createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import { BASE62 } from "./base62.ts";

export const API_KEY_PREFIX = "at_live_";
/** Random characters of a key: 190 bits. */
export const API_KEY_RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Random characters of a masked key. */
const SHOWN_LENGTH = 4;
const FORM = new RegExp(
	`^${API_KEY_PREFIX}[0-9A-Za-z]{${API_KEY_RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** True when the text has a key's form and its checksum is right; says nothing of whether the key exists. */
export function isApiKey(text: string): boolean {
	if (!FORM.test(text)) return false;
	return text.endsWith(apiKeyChecksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** `at_live_abcd****` */
export function maskApiKey(key: string): string {
	return `${key.slice(0, API_KEY_PREFIX.length + SHOWN_LENGTH)}****`;
}

/** CRC-32 (ISO 3309, as in zlib) in base62, most significant digit first, padded with zeros. */
export function apiKeyChecksum(text: string): string {
	let rest = crc32(text);
	let digits = "";
	for (let index = 0; index < CHECKSUM_LENGTH; index++) {
		digits = BASE62.charAt(rest % 62) + digits;
		rest = Math.floor(rest / 62);
	}
	return digits;
}

/** Makes a key of random base62 characters: prefix, characters, checksum. */
export function composeApiKey(random: string): string {
	const unchecked = API_KEY_PREFIX + random;
	return unchecked + apiKeyChecksum(unchecked);
}

/** HMAC-SHA256 of the whole key, 32 bytes. */
export function digestApiKey(key: string, pepper: Uint8Array): Buffer {
	return createHmac("sha256", pepper).update(key).digest();
}
