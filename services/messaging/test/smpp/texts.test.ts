import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { outgoing, startRoute } from "./route.ts";

test("a route that is told to sends UCS-2, in as many parts as that needs", async () => {
	const { submit, smsc } = await startRoute({ query: "encoding=ucs2" });
	const body = `${"a".repeat(66)}😀${"b".repeat(80)}`;
	expect(await submit({ body })).toHaveLength(3);
	const entries = smsc.log.taken();
	expect(entries.map((entry) => [entry.dataCoding, entry.part])).toEqual([
		[8, 1],
		[8, 2],
		[8, 3],
	]);
	expect(entries.map((entry) => entry.text).join("")).toBe(body);
});

test("a route that transliterates sends fewer parts where the plain form fits, and the rest as it is", async () => {
	const { submit, smsc } = await startRoute({ query: "transliterate=yes" });
	await submit({ body: `“${"ż".repeat(150)}”` });
	await submit({ body: "“Привет”" });
	const entries = smsc.log.taken();
	expect(entries.map((entry) => [entry.dataCoding, entry.text])).toEqual([
		[0, `"${"z".repeat(150)}"`],
		[8, "“Привет”"],
	]);
});

test.each([
	["udh", 0x40],
	["sar", 0],
])(
	"a reference of 16 bits is the same in all parts and attempts of a message (long=%s)",
	async (long, esmClass) => {
		const { operator, smsc } = await startRoute({
			query: `reference=16&long=${long}`,
		});
		const message = outgoing({ body: "a".repeat(400), reference: 0xc8 });
		await operator.submit(message);
		await operator.submit({ ...message, attempt: 2, onlyParts: [3] });
		const entries = smsc.log.taken();
		const expected = [1, 2, 3, 3].map((part) => [part, 3, 0x01c8, esmClass]);
		expect(
			entries.map((entry) => [
				entry.part,
				entry.total,
				entry.reference,
				entry.esmClass,
			]),
		).toEqual(expected);
		expect(entries.slice(0, 3).map((entry) => entry.text.length)).toEqual([
			152, 152, 96,
		]);
	},
);

test("parts beyond what was paid for stay within the window, and all arrive", async () => {
	const { operator, smsc, submit } = await startRoute({
		query: "encoding=ucs2&window=2",
		smsc: { settings: { answerDelayMs: 20 } },
	});
	const bodies = ["a", "b", "c", "d"].map((letter) => letter.repeat(160));
	const results = await Promise.all(bodies.map((body) => submit({ body })));
	expect(results.flat()).toHaveLength(12);
	for (const part of results.flat()) expect(part.kind).toBe("accepted");
	expect(smsc.stats.peakUnanswered).toBeLessThanOrEqual(2);
	await eventually(() => expect(operator.capacity()).toBe(2));
});
