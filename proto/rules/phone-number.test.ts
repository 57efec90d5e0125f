import { expect, test } from "vitest";
import {
	findCountry,
	nationalForms,
	normalizePhoneNumber,
	toPresentPlan,
} from "./phone-number.ts";

test.each([
	["+33 6 12 34 56 78", "", "+33612345678"],
	["33612345678", "", "+33612345678"],
	["0612345678", "FR", "+33612345678"],
	["06 12 34 56 78", "FR", "+33612345678"],
	["06.12.34.56.78", "FR", "+33612345678"],
	["06-12-34-56-78", "FR", "+33612345678"],
	["06/12 34 56 78", "FR", "+33612345678"],
	["06\u00a012\u202f34 56 78", "FR", "+33612345678"],
	["33 6 12 34 56 78", "FR", "+33612345678"],
	["(212) 555-0123", "US", "+12125550123"],
	["212.555.0123", "US", "+12125550123"],
	["020 7946 0018", "GB", "+442079460018"],
])("%j with the country %j is %s", (text, country, number) => {
	expect(normalizePhoneNumber(text, country)).toBe(number);
});

test.each([
	["06 12 34 56 78", ""],
	["06 12 34 56 78", "XX"],
	["06 12 34 56 7", "FR"],
	["06 12 34 56 78 x9", "FR"],
	["- 06 12 34 56 78", "FR"],
	["...", "FR"],
	["   ", "FR"],
	["06 12 34 56 78 06 12 34 56 78 06 12 34", "FR"],
])("%j with the country %j is no number", (text, country) => {
	expect(normalizePhoneNumber(text, country)).toBeUndefined();
});

test.each([
	["+33612345678", "FR"],
	["+12125550123", "US"],
	["+14165550123", "CA"],
	["+447400123456", "GB"],
	["+447781123456", "GG"],
	["+262692123456", "RE"],
	["+80012345678", undefined],
	["", undefined],
])("%j is a number of the country %s", (number, country) => {
	expect(findCountry(number)).toBe(country);
});

test.each([
	["+33612345678", ["612345678", "0612345678"], "+33"],
	["+79161234567", ["9161234567", "89161234567"], "+7"],
	["+12125550123", ["2125550123"], "+1"],
	["+390612345678", ["0612345678"], "+39"],
	["+525512345678", ["5512345678", "5215512345678"], "+52"],
	["12", [], "12"],
])("%s is written within its country as %j", (number, forms, callingCode) => {
	expect(nationalForms(number)).toEqual({ forms, callingCode });
});

test.each([
	["+5215512345678", "+525512345678"],
	["5215512345678", "525512345678"],
	["+525512345678", "+525512345678"],
	["+52155123456", "+52155123456"],
	["+33612345678", "+33612345678"],
	["15512345678", "15512345678"],
])("%s is %s today", (number, today) => {
	expect(toPresentPlan(number)).toBe(today);
});
