import { encodeGsm7 } from "@airtower/proto/rules/segments";
import { describe, expect, it, test } from "vitest";
import type { Charset } from "./charset.ts";
import { joinParts, toPartSets } from "./join-parts.ts";

describe("parts of one reference", () => {
	const named = (...names: string[]) =>
		names.map((name) => ({ number: Number(name.slice(1)), name }));
	const setsOf = (...names: string[]) =>
		toPartSets(named(...names)).map((set) =>
			[...set.values()]
				.map(({ name }) => name)
				.sort((a, b) => a.localeCompare(b)),
		);

	it("make a text in any order", () => {
		expect(setsOf("a3", "a1", "a2")).toEqual([["a1", "a2", "a3"]]);
	});

	it("make two where the phone uses the reference again", () => {
		expect(setsOf("a1", "b1", "b2")).toEqual([["a1"], ["b1", "b2"]]);
		expect(setsOf("a1", "a2", "b2", "b1")).toEqual([
			["a1", "a2"],
			["b1", "b2"],
		]);
	});
});

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();

function join(total: number, parts: Record<number, [Charset, Buffer]>) {
	const set = new Map(
		Object.entries(parts).map(([number, [charset, octets]]) => [
			Number(number),
			{ charset, octets },
		]),
	);
	return joinParts(set, total);
}

test("a character that begins in one part ends in the next", () => {
	const face = ucs2("🙂");
	expect(
		join(2, {
			2: ["ucs2", face.subarray(2)],
			1: ["ucs2", face.subarray(0, 2)],
		}),
	).toEqual({ body: "🙂", encoding: "ucs2" });
	const euro = encodeGsm7("€");
	expect(
		join(2, {
			1: ["gsm7", euro.subarray(0, 1)],
			2: ["gsm7", euro.subarray(1)],
		}),
	).toEqual({ body: "€", encoding: "gsm7" });
});

test("parts of several charsets are read each in its own", () => {
	expect(
		join(2, {
			1: ["latin1", Buffer.from("é", "latin1")],
			2: ["ucs2", ucs2("я")],
		}),
	).toEqual({ body: "éя", encoding: "ucs2" });
});

test("what is missing shows as a gap, however many parts it has", () => {
	const text = (value: string): [Charset, Buffer] => [
		"gsm7",
		encodeGsm7(value),
	];
	expect(join(5, { 2: text("two"), 5: text("five") }).body).toBe(
		"[…]two[…]five",
	);
	expect(join(3, { 1: text("one") }).body).toBe("one[…]");
});

test("binary content is in base64, without what is missing", () => {
	const octets = (hex: string): [Charset, Buffer] => [
		"binary",
		Buffer.from(hex, "hex"),
	];
	expect(join(3, { 1: octets("0001"), 3: octets("ff") })).toEqual({
		body: Buffer.from("0001ff", "hex").toString("base64"),
		encoding: "binary",
	});
});
