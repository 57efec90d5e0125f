import fc from "fast-check";
import { expect, test } from "vitest";
import {
	apiKeyChecksum,
	composeApiKey,
	digestApiKey,
	isApiKey,
	maskApiKey,
} from "./api-key.ts";

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

/** Random part, whole key, HMAC-SHA256 under 32 bytes of 0x0b; made with Python's zlib and hmac. */
const VECTORS = [
	[
		"0".repeat(32),
		"at_live_0000000000000000000000000000000048A5CU",
		"4e056aed00ce3415e01a0a04f6f8d69897a7f684ff416839910c0cb6c7f70403",
	],
	[
		"z".repeat(32),
		"at_live_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz3MjdGy",
		"f0c63ff72f60bb44d3c9a0ab976f968c23e86b952e267f9fc4a98e427963d216",
	],
	[
		"abcdefghijklmnopqrstuvwxyz012345",
		"at_live_abcdefghijklmnopqrstuvwxyz0123450dtaGk",
		"59836e8d4c662aecb547bf86454124273f6c9414e08029c87b455e9b35346e6a",
	],
] as const;

test.each(VECTORS)(
	"composes and digests %s as published",
	(random, key, digest) => {
		expect(composeApiKey(random)).toBe(key);
		expect(isApiKey(key)).toBe(true);
		expect(digestApiKey(key, Buffer.alloc(32, 0x0b)).toString("hex")).toBe(
			digest,
		);
	},
);

test.each([
	"",
	"at_live_",
	"at_test_0000000000000000000000000000000048A5CU",
	"at_live_0000000000000000000000000000000048A5C",
	"at_live_0000000000000000000000000000000048A5CUU",
	" at_live_0000000000000000000000000000000048A5CU",
	"at_live_0000000000000000000000000000000048A5CU\n",
	"at_live_000000000000000000000000000000-048A5CU",
])("%j is no key", (text) => {
	expect(isApiKey(text)).toBe(false);
});

test("a masked key shows four random characters", () => {
	expect(maskApiKey("at_live_abcdefghijklmnopqrstuvwxyz0123450dtaGk")).toBe(
		"at_live_abcd****",
	);
});
