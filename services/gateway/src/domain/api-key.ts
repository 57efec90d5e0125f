import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^at_live_[0-9A-Za-z]{38}$/;
const CHECKSUM_CHARACTERS = 6;

/** True for `at_live_`, 32 base62 characters, and 6 of the CRC-32 of all that precedes. */
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
