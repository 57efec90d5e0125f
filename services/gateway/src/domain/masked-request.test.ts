import { uuidv7 } from "@airtower/platform/runtime/ids";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maskFields, maskPath, maskText } from "./masked-request.ts";

const UUID = "0199b0a4-5f1b-7000-8000-415263748596";

test.each([
	["plain-1042", "plain-1042"],
	["order-33612345678", "order-*******5678"],
	["+33 6 12 34 56 78", "+** * ** ** 56 78"],
	["33.6.12.34.56.78", "**.*.**.**.56.78"],
	[UUID, UUID],
	[`a ${UUID} 33612345678`, `a ${UUID} *******5678`],
	["at_live_abcdefghij", "at_live_****"],
	["a\u0000b\ud800", "a b\ufffd"],
	["1234567", "***4567"],
	["123456", "123456"],
])("of the text %j is shown %j", (text, shown) => {
	expect(maskText(text)).toBe(shown);
});

test.each([
	[`/sms/messages/${UUID}`, `/sms/messages/${UUID}`],
	["/sms/messages/undefined", "/sms/messages/undefined"],
	["/sms/messages/%2B33612345678", "/sms/messages/+*******5678"],
	["/sms/%", "/sms/%"],
])("of the path %s is shown %s", (path, shown) => {
	expect(maskPath(path)).toBe(shown);
});

test("of a body are shown its fields, ids and words; numbers masked, and of texts the length", () => {
	const body = {
		to: "+33612345678",
		recipients: ["0612345678", { phone: "x 12", name: "Ada Lovelace" }],
		message: "hello Ada",
		mesage: null,
		variables: { code: 4829 },
		limit: 20,
		senderId: UUID,
		senderName: "ACME",
		type: "template",
		scheduled_at: "2026-03-01",
		tags: ["gold", 7, true, 33612345678, 0.33612345678],
		"33612345678": "1",
	};
	expect(maskFields(body)).toEqual({
		to: "+*******5678",
		recipients: ["******5678", { phone: "? 12", name: "(12 characters)" }],
		message: "(9 characters)",
		mesage: null,
		variables: { code: "(number)" },
		limit: 20,
		senderId: UUID,
		senderName: "ACME",
		type: "template",
		scheduled_at: "****-03-01",
		tags: ["(4 characters)", "(number)", true, "(number)", "(number)"],
		"*******5678": "(1 characters)",
	});
});

test("of a long list ten are shown, and of any body a hundred values", () => {
	const list = maskFields(Array.from({ length: 100_000 }, () => "a"));
	expect(list).toHaveLength(11);
	expect(list).toHaveProperty("10", "(99990 more)");
	const wide = Object.fromEntries(
		Array.from({ length: 5_000 }, (_, nth) => [`field${nth}`, nth]),
	);
	expect(Object.keys(Object(maskFields(wide))).length).toBeLessThan(101);
	let deep: unknown = 1;
	for (let depth = 0; depth < 1_000; depth++) deep = [deep];
	expect(JSON.stringify(maskFields(deep))).toContain("(more)");
});

const DIGITS = "33612345678";
const number = fc.constantFrom(
	DIGITS,
	`+${DIGITS}`,
	`tel:${DIGITS}x`,
	Number(DIGITS),
	"+33 6 12-34 (56) 78",
);
const field = fc.constantFrom("to", "message", "status", "id", DIGITS, "name");

test("wherever a number stands in a body, its digits are not in what is shown", () => {
	const { tree } = fc.letrec((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 4 },
			number,
			fc.string(),
			fc.array(tie("tree"), { maxLength: 4 }),
			fc.dictionary(field, tie("tree"), { maxKeys: 4 }),
		),
	}));
	fc.assert(
		fc.property(tree, (body) => {
			const shown = JSON.stringify(maskFields(body) ?? null);
			expect(shown.replace(/[ ()-]/g, "")).not.toContain(DIGITS);
		}),
		{ numRuns: 500 },
	);
});

test("an id that is made is never masked", () => {
	for (let count = 0; count < 10_000; count++) {
		const id = uuidv7();
		expect(maskText(id)).toBe(id);
	}
});
