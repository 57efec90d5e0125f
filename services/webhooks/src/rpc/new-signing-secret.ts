import { randomBase62 } from "@airtower/platform/runtime/base62";

const PREFIX = "at_whsec_";
const RANDOM_LENGTH = 43;

/** 256 bits. */
export function newSigningSecret(): string {
	return PREFIX + randomBase62(RANDOM_LENGTH);
}
