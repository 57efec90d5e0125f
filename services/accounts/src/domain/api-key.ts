import { createHmac } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "at_live_";
/** Random characters of a key: 190 bits. */
export const API_KEY_RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 4;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const WELL_FORMED = new RegExp(
	`^${PREFIX}[0-9A-Za-z]{${API_KEY_RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** Makes a key of {@link API_KEY_RANDOM_LENGTH} base62 characters: prefix, characters, checksum. */
export function composeApiKey(random: string): string {
	const unchecked = PREFIX + random;
	return unchecked + checksum(unchecked);
}

/** True when the text has a key's form and its checksum is right; says nothing of whether the key exists. */
export function isApiKey(text: string): boolean {
	if (!WELL_FORMED.test(text)) return false;
	const unchecked = text.slice(0, -CHECKSUM_LENGTH);
	return text.endsWith(checksum(unchecked));
}

/** `at_live_abcd****` */
export function maskApiKey(key: string): string {
	return `${key.slice(0, PREFIX.length + SHOWN_LENGTH)}****`;
}

/** HMAC-SHA256 of the whole key, 32 bytes. */
export function digestApiKey(key: string, pepper: Uint8Array): Buffer {
	return createHmac("sha256", pepper).update(key).digest();
}

/** CRC-32 (ISO 3309, as in zlib) in base62, most significant digit first, padded with zeros. */
function checksum(text: string): string {
	let rest = crc32(text);
	let digits = "";
	for (let place = 0; place < CHECKSUM_LENGTH; place++) {
		digits = BASE62.charAt(rest % 62) + digits;
		rest = Math.floor(rest / 62);
	}
	return digits;
}
