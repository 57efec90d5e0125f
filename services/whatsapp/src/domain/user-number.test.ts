import { expect, test } from "vitest";
import { currentNumber, userNumber } from "./user-number.ts";

test.each<[id: string, number: string | null, why: string]>([
	["33612345678", "+33612345678", "most ids are the number"],
	["5215512345678", "+525512345678", "Mexico dropped the 1 of mobiles"],
	["525512345678", "+525512345678", "Mexico as it is now"],
	["551187654321", "+5511987654321", "Brazil gave mobiles a ninth digit"],
	["5511987654321", "+5511987654321", "Brazil as it is now"],
	["551133334444", "+551133334444", "a Brazilian landline has eight digits"],
	["5491123456789", "+5491123456789", "an Argentine mobile keeps its 9"],
	["999999999999", "+999999999999", "a number that no plan knows"],
	["1234", null, "too short for a number"],
	["+33612345678", null, "not digits alone"],
])("%s is %s: %s", (id, number) => {
	expect(userNumber(id)).toBe(number);
});

test.each([
	["+551187654321", "+5511987654321"],
	["+33612345678", "+33612345678"],
	["+12", "+12"],
	["", ""],
])("%j is %j today", (number, today) => {
	expect(currentNumber(number)).toBe(today);
});
