import { createHmac } from "node:crypto";
import { API_KEY_PREFIX, apiKeyChecksum } from "@airtower/proto/rules/api-key";

/** Makes a key of random base62 characters: prefix, characters, checksum. */
export function composeApiKey(random: string): string {
	const unchecked = API_KEY_PREFIX + random;
	return unchecked + apiKeyChecksum(unchecked);
}

/** HMAC-SHA256 of the whole key, 32 bytes. */
export function digestApiKey(key: string, pepper: Uint8Array): Buffer {
	return createHmac("sha256", pepper).update(key).digest();
}
