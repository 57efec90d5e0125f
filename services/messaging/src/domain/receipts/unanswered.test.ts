import { expect, test } from "vitest";
import { plainAddresses } from "./receipt.ts";
import { findOnlyPart } from "./unanswered.ts";

const MESSAGE = {
	messageId: "a",
	recipient: "+33612345678",
	sender: "Airtower",
	partCount: 1,
	takenParts: [],
	isUnknown: true,
	isOnItsWay: false,
	submits: 1,
	hasNewParts: false,
};
const PART = { messageId: "a", number: 1, partCount: 1 };

test.each([
	["its recipient alone", ["33612345678"]],
	["its recipient and its sender", ["33612345678", "airtower"]],
	["the two in the other order", ["airtower", "33612345678"]],
	["its recipient with another prefix", ["0612345678", "airtower"]],
])("a receipt that names %s is of the part", (_, addresses) => {
	expect(findOnlyPart(addresses, [MESSAGE])).toEqual(PART);
});

test.each([
	["nobody", []],
	["another recipient", ["33612345679", "airtower"]],
	["its sender alone", ["airtower"]],
	["another sender", ["33612345678", "shop"]],
	["the recipient twice", ["33612345678", "33612345678"]],
])("a receipt that names %s is not of the part", (_, addresses) => {
	expect(findOnlyPart(addresses, [MESSAGE])).toBeUndefined();
});

test("a sender that is a number may be written with another prefix", () => {
	const message = { ...MESSAGE, sender: "33700000001" };
	const addresses = ["33612345678", "0700000001"];
	expect(findOnlyPart(addresses, [message])).toEqual(PART);
});

test("a receipt that fits two messages is nobody's", () => {
	const other = { ...MESSAGE, messageId: "b", isUnknown: false };
	expect(findOnlyPart(["33612345678"], [MESSAGE, other])).toBeUndefined();
	expect(findOnlyPart(["33612345678"], [other])).toBeUndefined();
});

test("of a long message only the one part that is missing is found", () => {
	const long = { ...MESSAGE, partCount: 3 };
	const fits = (...takenParts: number[]) =>
		findOnlyPart(["33612345678"], [{ ...long, takenParts }])?.number;
	expect([fits(), fits(1), fits(1, 3), fits(1, 2, 3)]).toEqual([
		undefined,
		undefined,
		2,
		undefined,
	]);
});

test("of a long message nothing is found once the operator has told of a part after its first submit without a response", () => {
	const long = { ...MESSAGE, partCount: 3, takenParts: [1, 3] };
	const message = { ...long, hasNewParts: true };
	expect(findOnlyPart(["33612345678"], [message])).toBeUndefined();
});

test("addresses are compared without plus, case, blanks and NULs", () => {
	expect(plainAddresses(["+336 ", "", undefined, "ShOp\0"])).toEqual([
		"336",
		"shop",
	]);
});
