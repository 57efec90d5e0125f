import { expect, test } from "vitest";
import { createReferenceCounter } from "./concat-references.ts";

const LONG = "x".repeat(71);

test("long messages of one sender and recipient get different references in a row", () => {
	const counter = createReferenceCounter(() => 254);
	const next = () => counter.next("Airtower", "+33612345678", LONG);
	expect([next(), next(), next()]).toEqual([254, 255, 0]);
});

test("each pair counts by itself", () => {
	const counter = createReferenceCounter(() => 7);
	expect(counter.next("A", "+33612345678", LONG)).toBe(7);
	expect(counter.next("B", "+33612345678", LONG)).toBe(7);
	expect(counter.next("A", "+33612345678", LONG)).toBe(8);
});

test("a short message takes no reference", () => {
	const counter = createReferenceCounter(() => 7);
	expect(counter.next("A", "+33612345678", "x".repeat(70))).toBe(0);
	expect(counter.next("A", "+33612345678", LONG)).toBe(7);
});
