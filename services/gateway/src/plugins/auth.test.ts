import { apiKeyChecksum } from "@airtower/proto/rules/api-key";
import { expect, test } from "vitest";
import { presentedKey } from "./auth.ts";

const KEY = withChecksum("at_live_0123456789ABCDEFGHIJKLMNOPQRSTUV");
const OTHER = withChecksum("at_live_VUTSRQPONMLKJIHGFEDCBA9876543210");

function withChecksum(head: string): string {
	return head + apiKeyChecksum(head);
}

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
