import { expect, test } from "vitest";
import { findOwner } from "./find-owner.ts";

const numbers = [
	{ number: "38600", keyword: "win", organizationId: "a" },
	{ number: "38600", keyword: null, organizationId: "b" },
	{ number: "38601", keyword: "win", organizationId: "a" },
];

test.each([
	["38600", "WIN a car", "a", "win"],
	["38600", "win!", "a", "win"],
	["38600", "I win", "b", null],
	["38600", "", "b", null],
	["38601", "other", null, null],
	["38602", "win", null, null],
])("%s %j goes to %s", (number, body, organizationId, keyword) => {
	expect(findOwner(numbers, number, body)).toMatchObject({
		organizationId,
		keyword,
	});
});
