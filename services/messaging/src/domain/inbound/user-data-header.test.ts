import { expect, test } from "vitest";
import { concatenationHeader } from "../text/user-data.ts";
import { readPlace } from "./user-data-header.ts";

const place = (header: Buffer) => readPlace(header.subarray(1));
const bytes = (hex: string) => Buffer.from(hex, "hex");

test.each([8, 16] as const)("a reference of %i bits is read", (bits) => {
	const reference = bits === 8 ? 200 : 51_234;
	expect(place(concatenationHeader(bits, reference, 3, 2))).toEqual({
		referenceBits: bits,
		reference,
		total: 3,
		number: 2,
	});
});

test("elements beside the concatenation are passed over", () => {
	const ports = "0504158a0000";
	expect(place(bytes(`0b${ports}0003070201`))).toEqual({
		referenceBits: 8,
		reference: 7,
		total: 2,
		number: 1,
	});
	expect(place(bytes(`06${ports}`))).toBeUndefined();
});

test.each([
	["the only part", "050003070101"],
	["part 0", "050003070200"],
	["part 3 of 2", "050003070203"],
	["no parts", "050003070000"],
	["an element that is cut short", "0300030702"],
	["nothing", "00"],
])("%s is no part of a long text", (_what, header) => {
	expect(place(bytes(header))).toBeUndefined();
});
