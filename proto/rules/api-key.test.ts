import fc from "fast-check";
import { expect, test } from "vitest";
import { apiKeyChecksum, isApiKey } from "./api-key.ts";

const HEAD = "at_live_0123456789ABCDEFGHIJKLMNOPQRSTUV";
const KEY = HEAD + apiKeyChecksum(HEAD);

test("the checksum is the CRC-32 in base62, padded to six digits", () => {
	expect(apiKeyChecksum("123456789")).toBe("3jZRME");
	expect(apiKeyChecksum("")).toBe("000000");
});

test("a key with any one character changed is refused", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: KEY.length - 1 }),
			fc.constantFrom(..."0aZ_-\u00e9 "),
			(index, character) => {
				fc.pre(KEY[index] !== character);
				const changed = KEY.slice(0, index) + character + KEY.slice(index + 1);
				expect(isApiKey(changed)).toBe(false);
			},
		),
	);
	expect(isApiKey(KEY)).toBe(true);
	expect(isApiKey(`${KEY}\n`)).toBe(false);
	expect(isApiKey(KEY.slice(0, -1))).toBe(false);
});
