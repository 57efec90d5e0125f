import { parseKeyRing } from "@airtower/platform/sealing/key-ring";
import { keyRingText } from "@airtower/platform/testing/keys";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CursorScope, decodeCursor, encodeCursor } from "./cursor.ts";

const ringText = keyRingText("a");
const ring = parseKeyRing(ringText);
const scope: CursorScope = {
	resource: "webhooks",
	organizationId: "org-1",
	filters: { tag: "x", status: undefined },
};
const position = {
	seconds: 1_700_000_000n,
	nanos: 123_456_000,
	id: "0190b2f0-0000-7000-8000-000000000000",
};
const cursor = encodeCursor(ring, scope, position);

test("a cursor gives its position back, also after its key has been succeeded", () => {
	expect(decodeCursor(ring, scope, cursor)).toEqual(position);
	const succeeded = parseKeyRing(`${keyRingText("b")},${ringText}`);
	expect(decodeCursor(succeeded, scope, cursor)).toEqual(position);
	expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
});

test.each<[string, CursorScope]>([
	["resource", { ...scope, resource: "contacts" }],
	["organization", { ...scope, organizationId: "org-2" }],
	["filter value", { ...scope, filters: { tag: "y" } }],
	["filters", { resource: "webhooks", organizationId: "org-1" }],
])("a cursor of another %s is refused", (_name, other) => {
	expect(decodeCursor(ring, other, cursor)).toBeUndefined();
});

test("a cursor of a key that is gone is refused", () => {
	const other = parseKeyRing(keyRingText("b"));
	expect(decodeCursor(other, scope, cursor)).toBeUndefined();
});

test("a cursor with any one character changed is refused", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: cursor.length - 1 }),
			fc.constantFrom(..."AZaz09_-="),
			(index, character) => {
				fc.pre(cursor[index] !== character);
				const changed =
					cursor.slice(0, index) + character + cursor.slice(index + 1);
				expect(decodeCursor(ring, scope, changed)).toBeUndefined();
			},
		),
	);
});

test("no text of any kind makes decoding throw", () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 600 }), (text) => {
			expect(decodeCursor(ring, scope, text)).toBeUndefined();
		}),
	);
	expect(decodeCursor(ring, scope, "A".repeat(100_000))).toBeUndefined();
});
