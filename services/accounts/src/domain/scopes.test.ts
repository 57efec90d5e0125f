import { expect, test } from "vitest";
import { chooseScopes, SCOPES } from "./scopes.ts";

test("no scope named means all of them", () => {
	expect(chooseScopes([])).toEqual(SCOPES);
});

test("scopes are put in order and kept once", () => {
	expect(chooseScopes(["sms:send", "account:read", "sms:send"])).toEqual([
		"account:read",
		"sms:send",
	]);
});

test.each([[["sms:delete"]], [["sms:send", ""]], [["SMS:SEND"]]])(
	"%j holds an unknown scope",
	(wanted) => {
		expect(chooseScopes(wanted)).toBeUndefined();
	},
);
