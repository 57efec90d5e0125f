import { LRUCache } from "lru-cache";
import { expect, test } from "vitest";
import { nextReference } from "./quota.ts";

const LONG = "x".repeat(71);

function counter(first: number) {
	const last = new LRUCache<string, number>({ max: 10 });
	return (sender: string, text = LONG) => {
		const recipient = "+33612345678";
		return nextReference(last, { sender, recipient, text }, () => first);
	};
}

test("long messages of one sender and recipient get different references in a row", () => {
	const next = counter(254);
	expect([next("A"), next("A"), next("A")]).toEqual([254, 255, 0]);
});

test("each pair counts by itself", () => {
	const next = counter(7);
	expect([next("A"), next("B"), next("A")]).toEqual([7, 7, 8]);
});

test("a short message takes no reference", () => {
	const next = counter(7);
	expect(next("A", "x".repeat(70))).toBe(0);
	expect(next("A")).toBe(7);
});
