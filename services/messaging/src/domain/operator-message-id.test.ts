import { expect, test } from "vitest";
import { canonicalKeys, type IdForm } from "./operator-message-id.ts";

/** Whether a receipt's id finds the part whose response gave that other id. */
function meets(
	responded: string,
	receipted: string,
	responseForm: IdForm = "auto",
	receiptForm: IdForm = responseForm,
): boolean {
	const [stored] = canonicalKeys(responded, responseForm);
	return canonicalKeys(receipted, receiptForm).includes(stored ?? "");
}

test.each([
	["812FC7470000001B", "9308878062554710043"],
	["9308878062554710043", "812FC7470000001B"],
	["812FC7470000001B", "812fc7470000001b"],
	["33E95179", "0870928761"],
	["0000000123", "123"],
	["123", "0000000123"],
	["0000ab12", "AB12"],
	["0", "0000"],
	["1a", " 26 "],
	["f00d", "F00D\0"],
	["4d3c-11EE-be56", "4D3C-11ee-BE56"],
	["msg.77_Zx", "MSG.77_zx"],
	["10", "16"],
	["16", "10"],
])(
	"without a setting, response %j meets receipt %j",
	(responded, receipted) => {
		expect(meets(responded, receipted)).toBe(true);
	},
);

test.each([
	["812FC7470000001B", "9308878062554710044"],
	["a1", "a2"],
	["0123", "1230"],
	["x0012", "x12"],
])("response %j does not meet receipt %j", (responded, receipted) => {
	expect(meets(responded, receipted)).toBe(false);
});

test("the same writing is trusted before any other reading", () => {
	expect(canonicalKeys("16", "auto")).toEqual(["16", "10", "22"]);
});

test("hexadecimal responses meet decimal receipts of the same number only", () => {
	expect(meets("10", "16", "hex", "dec")).toBe(true);
	expect(meets("16", "16", "hex", "dec")).toBe(false);
	expect(meets("16", "10", "dec", "hex")).toBe(true);
	expect(meets("812FC7470000001B", "9308878062554710043", "hex", "dec")).toBe(
		true,
	);
});

test("one form on both sides never takes another number for it", () => {
	expect(meets("10", "16", "hex")).toBe(false);
	expect(meets("10", "16", "dec")).toBe(false);
	expect(meets("0010", "10", "dec")).toBe(true);
});

test("ids stored under a form are still found after the route is set to auto", () => {
	expect(meets("16", "16", "dec", "auto")).toBe(true);
	expect(meets("0a", "10", "hex", "auto")).toBe(true);
});

test("exact ids are compared octet by octet", () => {
	expect(meets("Ab", "Ab", "exact")).toBe(true);
	expect(meets("Ab", "ab", "exact")).toBe(false);
	expect(meets("01", "1", "exact")).toBe(false);
});

test("an id of 65 digits is still a number", () => {
	const id = "9".repeat(65);
	expect(meets(BigInt(id).toString(16), id)).toBe(true);
});

test.each(["auto", "hex", "dec", "exact"] as const)(
	"an id of any length has a key that an index holds, and meets its receipt: %s",
	(form) => {
		const id = "0123456789abcdef".repeat(200);
		expect(meets(id, id, form)).toBe(true);
		expect(meets(id, `${id}0`, form)).toBe(false);
		for (const key of canonicalKeys(id, form))
			expect(key.length).toBeLessThan(100);
	},
);
