import { expect, test } from "vitest";
import { outgoing, startRoute } from "./route.ts";

const LONG = `${"a".repeat(152)}€${"b".repeat(200)}`;

test("a short message asks for a receipt, with the types of a name and a number", async () => {
	const { submit, smsc } = await startRoute();
	const [part] = await submit({ body: "Code: 123 {€}" });
	const [entry] = smsc.log.taken();
	expect(entry).toMatchObject({
		source: "Airtower",
		sourceTon: 5,
		sourceNpi: 0,
		destination: "33612349999",
		destinationTon: 1,
		destinationNpi: 1,
		registeredDelivery: 1,
		esmClass: 0,
		dataCoding: 0,
		validity: "000001000000000R",
		text: "Code: 123 {€}",
	});
	expect(part).toMatchObject({ operatorMessageId: entry?.id });
});

test.each([
	["Air tower", "Air tower", 5, 0],
	["+33612340000", "33612340000", 1, 1],
	["33612340000", "33612340000", 1, 1],
	["12345", "12345", 3, 0],
	["12345678", "12345678", 3, 0],
	["123456789", "123456789", 1, 1],
])(
	"sender %j is %j of type %i, plan %i",
	async (sender, source, sourceTon, sourceNpi) => {
		const { submit, smsc } = await startRoute();
		await submit({ sender });
		expect(smsc.log.taken()[0]).toMatchObject({ source, sourceTon, sourceNpi });
	},
);

test("every type and plan can be set per route", async () => {
	const { submit, smsc } = await startRoute({
		query: "name=5.1&shortcode=6.9&number=0.8&recipient=2.3",
	});
	for (const sender of ["Airtower", "12345", "33612340000"])
		await submit({ sender });
	expect(
		smsc.log.taken().map((entry) => [entry.sourceTon, entry.sourceNpi]),
	).toEqual([
		[5, 1],
		[6, 9],
		[0, 8],
	]);
	expect(smsc.log.taken()[0]).toMatchObject({
		destinationTon: 2,
		destinationNpi: 3,
	});
});

test.each([
	[60, "000000000100000R"],
	[3_661, "000000010101000R"],
	[86_399.9, "000000235959000R"],
	[172_800, "000002000000000R"],
	[0, "000000000001000R"],
])("a validity of %f s is %s", async (validitySeconds, validity) => {
	const { submit, smsc } = await startRoute();
	await submit({ validitySeconds });
	expect(smsc.log.taken()[0]?.validity).toBe(validity);
});

test("a text beyond GSM-7 is UCS-2", async () => {
	const { submit, smsc } = await startRoute();
	await submit({ body: "Привет 😀" });
	expect(smsc.log.taken()[0]).toMatchObject({
		dataCoding: 8,
		text: "Привет 😀",
	});
});

test("a long message goes as parts with a user data header, no pair cut", async () => {
	const { submit, smsc } = await startRoute();
	const parts = await submit({ body: LONG, reference: 200 });
	expect(parts.map(({ part, kind }) => [part, kind])).toEqual([
		[1, "accepted"],
		[2, "accepted"],
		[3, "accepted"],
	]);
	const entries = smsc.log.taken();
	expect(
		entries.map((entry) => [
			entry.part,
			entry.total,
			entry.reference,
			entry.esmClass,
		]),
	).toEqual([
		[1, 3, 200, 0x40],
		[2, 3, 200, 0x40],
		[3, 3, 200, 0x40],
	]);
	expect(entries.map((entry) => entry.text).join("")).toBe(LONG);
	expect(entries[0]?.text).toBe("a".repeat(152));
});

test("each part has the operator's id of its own part", async () => {
	const { submit, smsc } = await startRoute();
	const parts = await submit({ body: LONG });
	const idOf = (number: number) =>
		smsc.log.taken().find((entry) => entry.part === number)?.id;
	for (const { part, ...outcome } of parts)
		expect(outcome).toMatchObject({ operatorMessageId: idOf(part) });
});

test("a long message may go with sar TLVs", async () => {
	const { submit, smsc } = await startRoute({ query: "long=sar" });
	await submit({ body: LONG, reference: 9 });
	const entries = smsc.log.taken();
	expect(
		entries.map((entry) => [
			entry.part,
			entry.total,
			entry.reference,
			entry.esmClass,
		]),
	).toEqual([
		[1, 3, 9, 0],
		[2, 3, 9, 0],
		[3, 3, 9, 0],
	]);
	expect(entries.map((entry) => entry.text).join("")).toBe(LONG);
});

test("a long message may go as one payload", async () => {
	const { submit, smsc } = await startRoute({
		query: "long=payload",
		smsc: { settings: { receiptDelayMs: 60_000 } },
	});
	const bodies = ["é".repeat(1_600), "ж".repeat(71), "a".repeat(160)];
	for (const body of bodies)
		expect(await submit({ body })).toMatchObject([{ kind: "accepted" }]);
	expect(
		smsc.log.taken().map((entry) => [entry.text, entry.total, entry.inPayload]),
	).toEqual([
		[bodies[0], 1, true],
		[bodies[1], 1, true],
		[bodies[2], 1, false],
	]);
});

test("parts that were accepted before are not sent again", async () => {
	const { operator, smsc } = await startRoute();
	const result = await operator.submit(
		outgoing({ body: LONG, onlyParts: [2, 3] }),
	);
	expect(result).toMatchObject({
		total: 3,
		parts: [
			{ part: 2, kind: "accepted" },
			{ part: 3, kind: "accepted" },
		],
	});
	expect(smsc.log.taken().map((entry) => entry.part)).toEqual([2, 3]);
});

test("parts of another number of parts than the text takes now do not fit: all go", async () => {
	const { operator, smsc } = await startRoute();
	const result = await operator.submit(
		outgoing({ body: LONG, onlyParts: [2], partCount: 2 }),
	);
	expect(result).toMatchObject({ total: 3, isResplit: true });
	expect(smsc.log.taken().map((entry) => entry.part)).toEqual([1, 2, 3]);
});

test.each(["reference=16", "long=sar", "encoding=ucs2"])(
	"parts that were sent before the route had %s do not fit either: all go",
	async (query) => {
		const before = await startRoute();
		// As many parts in every way.
		const body = "a".repeat(130).repeat(2);
		const { split } = await before.operator.submit(outgoing({ body }));
		const now = await startRoute({ query });
		const taken = {
			body,
			onlyParts: [2],
			partCount: 2,
			...(split && { split }),
		};
		expect(await before.operator.submit(outgoing(taken))).toMatchObject({
			parts: [{ part: 2 }],
		});
		expect(await now.operator.submit(outgoing(taken))).toMatchObject({
			isResplit: true,
		});
		expect(now.smsc.log.taken()[0]?.part).toBe(1);
	},
);

test("a part that does not exist is refused, not thrown at the caller", async () => {
	const { submit, smsc } = await startRoute();
	expect(await submit({ onlyParts: [4] })).toMatchObject([
		{ part: 4, kind: "refused", permanent: true },
	]);
	expect(await submit({ body: "ж".repeat(20_000) })).toMatchObject([
		{ kind: "refused", permanent: true },
	]);
	expect(smsc.log.total).toBe(0);
});

test("a route's own alphabet carries what it can, and UCS-2 the rest", async () => {
	const { submit, smsc } = await startRoute({ query: "alphabet=ascii" });
	await submit({ body: "plain" });
	await submit({ body: "café" });
	expect(
		smsc.log.taken().map((entry) => [entry.dataCoding, entry.text]),
	).toEqual([
		[0, "plain"],
		[8, "café"],
	]);
});
