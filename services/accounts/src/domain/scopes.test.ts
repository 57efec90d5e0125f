import { expect, test } from "vitest";
import { readScopes } from "./scopes.ts";

test("scopes are put in order and kept once", () => {
	expect(readScopes(["sms:send", "account:read", "sms:send"])).toEqual([
		"account:read",
		"sms:send",
	]);
});

test("no scope named is none", () => {
	expect(readScopes([])).toEqual([]);
});

test.each([[["sms:delete"]], [["sms:send", ""]], [["SMS:SEND"]]])(
	"%j holds an unknown scope",
	(wanted) => {
		expect(readScopes(wanted)).toBeUndefined();
	},
);
