import { encodeGsm7 } from "@airtower/proto/rules/segments";
import { expect, test } from "vitest";
import { charsetOf, decode } from "./charset.ts";

test.each([
	[0, "gsm", "gsm7"],
	[0, "latin1", "latin1"],
	[0, "ascii", "latin1"],
	[1, "gsm", "latin1"],
	[3, "gsm", "latin1"],
	[2, "gsm", "binary"],
	[4, "gsm", "binary"],
	[5, "gsm", "binary"],
	[6, "gsm", "iso-8859-5"],
	[7, "gsm", "iso-8859-8"],
	[8, "latin1", "ucs2"],
	[0x10, "gsm", "gsm7"],
	[0x11, "latin1", "latin1"],
	[0x15, "gsm", "binary"],
	[0x18, "gsm", "ucs2"],
	[0x30, "gsm", "binary"],
	[0xc8, "gsm", "gsm7"],
	[0xe0, "gsm", "ucs2"],
	[0xf0, "gsm", "gsm7"],
	[0xf5, "gsm", "binary"],
] as const)(
	"data_coding %i on a route of %s is %s",
	(coding, alphabet, charset) => {
		expect(charsetOf(coding, alphabet)).toBe(charset);
	},
);

const bytes = (hex: string) => Buffer.from(hex, "hex");

test.each([
	["gsm7", encodeGsm7("@Ça va ? [€] ΔΩ\n"), "@Ça va ? [€] ΔΩ\n"],
	["gsm7", bytes("1b1b1b41"), " A"],
	["gsm7", bytes("411b"), "A"],
	["gsm7", bytes("e9"), "é"],
	["latin1", bytes("c7e900"), "Çé\u{FFFD}"],
	["iso-8859-5", bytes("c1c2bebf"), "СТОП"],
	["iso-8859-8", bytes("f9eced"), "שלם"],
	["ucs2", bytes("0041d83dde42"), "A🙂"],
	["ucs2", bytes("d83d004100"), "\u{FFFD}A"],
	["binary", bytes("00ff10"), "AP8Q"],
] as const)("%s octets are read as text", (charset, octets, text) => {
	expect(decode(octets, charset)).toBe(text);
});
