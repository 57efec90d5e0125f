import fc from "fast-check";
import { expect, test } from "vitest";
import { apiKeyChecksum, isWellFormedApiKey } from "./api-key.ts";
import { presentedKey } from "./presented-key.ts";

const KEY = withChecksum("at_live_0123456789ABCDEFGHIJKLMNOPQRSTUV");
const OTHER = withChecksum("at_live_VUTSRQPONMLKJIHGFEDCBA9876543210");

function withChecksum(head: string): string {
	return head + apiKeyChecksum(head);
}

test("the checksum is the CRC-32 in base62, padded to six digits", () => {
	expect(apiKeyChecksum("123456789")).toBe("3jZRME");
	expect(apiKeyChecksum("")).toBe("000000");
});

test("a key with any one character changed is refused", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: KEY.length - 1 }),
			fc.constantFrom(..."0aZ_-\u00e9 "),
			(place, character) => {
				fc.pre(KEY[place] !== character);
				const changed = KEY.slice(0, place) + character + KEY.slice(place + 1);
				expect(isWellFormedApiKey(changed)).toBe(false);
			},
		),
	);
	expect(isWellFormedApiKey(KEY)).toBe(true);
	expect(isWellFormedApiKey(`${KEY}\n`)).toBe(false);
	expect(isWellFormedApiKey(KEY.slice(0, -1))).toBe(false);
});

test.each([
	["no header", {}, "missing"],
	["bearer", { authorization: `Bearer ${KEY}` }, "key"],
	["lower-case scheme", { authorization: `bearer ${KEY}` }, "key"],
	["x-api-key", { "x-api-key": KEY }, "key"],
	["both, equal", { authorization: `Bearer ${KEY}`, "x-api-key": KEY }, "key"],
	[
		"both, different",
		{ authorization: `Bearer ${KEY}`, "x-api-key": OTHER },
		"malformed",
	],
	[
		"another scheme beside a key",
		{ authorization: "Basic eDp5", "x-api-key": KEY },
		"malformed",
	],
	["scheme alone", { authorization: "Bearer" }, "malformed"],
	["empty bearer", { authorization: "" }, "malformed"],
	["two values in one header", { "x-api-key": `${KEY}, ${KEY}` }, "malformed"],
	["empty key", { "x-api-key": "" }, "malformed"],
])("key headers: %s", (_name, headers, kind) => {
	expect(presentedKey(headers).kind).toBe(kind);
});
