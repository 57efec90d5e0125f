import { randomBytes } from "node:crypto";
import { BASE62 } from "@airtower/proto/rules/base62";

/** Bytes from 248 up would favour the first letters of the alphabet. */
const BASE62_FAIR_BELOW = 248;

export function randomBase62(length: number): string {
	let text = "";
	while (text.length < length) {
		for (const byte of randomBytes(length * 2)) {
			if (byte < BASE62_FAIR_BELOW && text.length < length)
				text += BASE62[byte % 62];
		}
	}
	return text;
}
