import { expect, test } from "vitest";
import { toInboundAddress, toInboundPhone } from "./inbound-address.ts";

test.each([
	["33612345678", 1, "+33612345678"],
	["+33612345678", 0, "+33612345678"],
	["0033612345678", 0, "+33612345678"],
	["33612345678\0", 1, "+33612345678"],
	["+15555550006", 1, "15555550006"],
	["15555550006", 1, "15555550006"],
	["38600", 3, "38600"],
	["38600", 0, "38600"],
	["0612345678", 2, "0612345678"],
	["33612345678", 2, "33612345678"],
	["Acme Bank", 5, "Acme Bank"],
	["", 0, ""],
])("%j of type %i is %j", (address, type, stored) => {
	expect(toInboundAddress(address, type)).toBe(stored);
});

test.each([
	["5215512345678", 1, "+525512345678"],
	["+5215512345678", 0, "+525512345678"],
	["525512345678", 1, "+525512345678"],
	["33612345678", 1, "+33612345678"],
	["5215512345678", 2, "5215512345678"],
	["5512345678", 2, "5512345678"],
	["Acme Bank", 5, "Acme Bank"],
])("%j of type %i is the phone %j", (address, type, stored) => {
	expect(toInboundPhone(address, type)).toBe(stored);
});
