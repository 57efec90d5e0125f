import { expect, test } from "vitest";
import { countSeptets, encodeGsm7 } from "./segments.ts";

test.each([
	["@£$¥èéùìòÇ\nØø\rÅå", "000102030405060708090a0b0c0d0e0f"],
	["Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ", "101112131415161718191a1c1d1e1f"],
	[" !\"#¤%&'()*+,-./", "202122232425262728292a2b2c2d2e2f"],
	["0123456789:;<=>?", "303132333435363738393a3b3c3d3e3f"],
	["¡ABCXYZÄÖÑÜ§", "4041424358595a5b5c5d5e5f"],
	["¿abcxyzäöñüà", "6061626378797a7b7c7d7e7f"],
	["\f^{}\\[~]|€", "1b0a1b141b281b291b2f1b3c1b3d1b3e1b401b65"],
])("%j is the octets of 3GPP TS 23.038", (text, octets) => {
	expect(encodeGsm7(text).toString("hex")).toBe(octets);
	expect(countSeptets(text)).toBe(octets.length / 2);
});

test.each(["`", "ç", "ê", "\u001b", "\t", "’", "ж", "😀", "\u20ac\u20ad"])(
	"%j is outside GSM-7",
	(text) => {
		expect(countSeptets(text)).toBeUndefined();
		expect(() => encodeGsm7(text)).toThrow(RangeError);
	},
);

test("the alphabet has 127 basic characters and 10 of the extension table", () => {
	const units = Array.from({ length: 0x10000 }, (_, unit) =>
		countSeptets(String.fromCharCode(unit)),
	);
	expect(units.filter((septets) => septets === 1)).toHaveLength(127);
	expect(units.filter((septets) => septets === 2)).toHaveLength(10);
});
