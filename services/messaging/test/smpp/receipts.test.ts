import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { bound, matches, startRoute } from "./route.ts";

test.each([
	["hex", "hex", "auto"],
	["hex", "dec", "auto"],
	["dec", "hex", "auto"],
	["hex", "HEX", "auto"],
	["dec", "padded", "auto"],
	["padded", "HEX", "auto"],
	["text", "text", "auto"],
	["hex", "dec", "hex-dec"],
	["dec", "HEX", "dec-hex"],
	["HEX", "hex", "hex"],
	["padded", "dec", "dec"],
	["text", "text", "exact"],
] as const)(
	"responses in %s and receipts in %s meet with ids=%s",
	async (answerIds, receiptIds, ids) => {
		const { submit, receipts } = await startRoute({
			query: `ids=${ids}`,
			smsc: { settings: { answerIds, receiptIds } },
		});
		const parts = (await Promise.all([submit(), submit(), submit()])).flat();
		await eventually(() => expect(receipts).toHaveLength(3));
		for (const part of parts)
			expect(receipts.filter((receipt) => matches(receipt, part))).toHaveLength(
				1,
			);
	},
);

test.each(["full", "text", "tlv", "payload"] as const)(
	"a receipt in the style %s is understood",
	async (receiptStyle) => {
		const { submit, receipts } = await startRoute({
			smsc: { settings: { receiptStyle } },
		});
		const [part] = await submit({ to: "+33612340002" });
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(receipts[0]).toMatchObject({
			operatorAccount: "airtower@127.0.0.1",
			state: "failed",
			reason: "undeliverable",
		});
		expect(matches(receipts[0], part)).toBe(true);
	},
);

test("a receipt is answered only after it is stored", async () => {
	const stored = Promise.withResolvers<void>();
	const { submit, receipts, smsc } = await startRoute({
		onReceipt: () => stored.promise,
	});
	await submit();
	// A later exchange on the same connection proves that the answer had its chance.
	expect((await submit({ to: "+33612340006" }))[0]?.kind).toBe("accepted");
	expect(smsc.stats.receiptsDelivered).toBe(0);
	stored.resolve();
	await eventually(() => expect(smsc.stats.receiptsDelivered).toBe(1));
	expect(receipts).toHaveLength(1);
});

test("a receipt that cannot be stored comes again until it is", async () => {
	let failures = 2;
	const { submit, receipts, smsc, logs } = await startRoute({
		smsc: { settings: { redeliverMs: 20 } },
		onReceipt: async () => {
			if (failures-- > 0) throw new Error("the database is away");
		},
	});
	const [part] = await submit();
	await eventually(() => expect(smsc.stats.receiptsDelivered).toBe(1));
	expect(receipts).toHaveLength(1);
	expect(matches(receipts[0], part)).toBe(true);
	expect(logs.filter((line) => line.includes("not stored"))).toHaveLength(2);
});

test("a slow store does not hold up the receipts behind it", async () => {
	const first = Promise.withResolvers<void>();
	let seen = 0;
	const { submit, receipts } = await startRoute({
		onReceipt: () => (seen++ === 0 ? first.promise : Promise.resolve()),
	});
	for (let i = 0; i < 3; i++) await submit();
	await eventually(() => expect(receipts).toHaveLength(2));
	first.resolve();
	await eventually(() => expect(receipts).toHaveLength(3));
});

test("receipts above the bound are asked for again, and all are stored in the end", async () => {
	let storing = 0;
	let most = 0;
	const { submit, receipts, smsc } = await startRoute({
		limits: { maxReceiptsInFlight: 3 },
		smsc: { settings: { redeliverMs: 20, receiptDelayMs: 50 } },
		onReceipt: async () => {
			most = Math.max(most, ++storing);
			await new Promise((resolve) => setTimeout(resolve, 5));
			storing--;
		},
	});
	await Promise.all(Array.from({ length: 30 }, () => submit()));
	await eventually(() => expect(smsc.stats.receiptsPending).toBe(0));
	expect(receipts).toHaveLength(30);
	expect(most).toBe(3);
});

test("receipts that waited while nobody was bound come after the reconnect", async () => {
	const { operator, submit, receipts, smsc } = await startRoute({
		smsc: { settings: { receiptDelayMs: 200 } },
	});
	const [part] = await submit();
	smsc.refuseBinds(0x08);
	smsc.dropConnections();
	await eventually(() => expect(operator.status().bound).toBe(false));
	await eventually(() => expect(smsc.stats.binds).toBeGreaterThan(2));
	smsc.refuseBinds(0);
	await bound(operator);
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(matches(receipts[0], part)).toBe(true);
});

test("a receipt whose session died before the answer comes again on the next one", async () => {
	const stored = Promise.withResolvers<void>();
	let seen = 0;
	const { operator, submit, receipts, smsc } = await startRoute({
		onReceipt: () => {
			seen++;
			return stored.promise;
		},
	});
	await submit();
	await eventually(() => expect(seen).toBe(1));
	smsc.dropConnections();
	await eventually(() => expect(smsc.stats.binds).toBe(2));
	await bound(operator);
	stored.resolve();
	await eventually(() => expect(smsc.stats.receiptsDelivered).toBe(1));
	expect(receipts).toHaveLength(2);
});

test("a receipt may come on another bind of the account", async () => {
	const { submit, receipts } = await startRoute({ query: "mode=pair" });
	const [part] = await submit();
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(matches(receipts[0], part)).toBe(true);
});

test.each([
	[
		"no esm_class, text only",
		{ short_message: Buffer.from("id:77 stat:DELIVRD err:000") },
		{ operatorMessageId: "77", state: "delivered" },
	],
	[
		"text in UCS-2",
		{
			esm_class: 4,
			data_coding: 8,
			short_message: Buffer.from("id:77 stat:EXPIRED", "utf16le").swap16(),
		},
		{ operatorMessageId: "77", state: "failed", reason: "expired" },
	],
	[
		"a user data header before the text",
		{
			esm_class: 0x44,
			short_message: Buffer.concat([
				Buffer.from([2, 0x70, 0]),
				Buffer.from("id:77 stat:DELIVRD"),
			]),
		},
		{ operatorMessageId: "77", state: "delivered" },
	],
	[
		"characters that GSM-7 would change",
		{ esm_class: 4, short_message: Buffer.from("id:a_b@c stat:DELIVRD") },
		{ operatorMessageId: "a_b@c", state: "delivered" },
	],
	[
		"TLVs against the text",
		{
			esm_class: 4,
			short_message: Buffer.from("id:1 stat:DELIVRD"),
			receipted_message_id: "77",
			message_state: 5,
			network_error_code: Buffer.from([3, 0, 1]),
		},
		{
			operatorMessageId: "77",
			state: "failed",
			reason: "unknown_subscriber",
			operatorError: "UNDELIV network:3 err:1",
		},
	],
	[
		"an intermediate state",
		{
			esm_class: 0x20,
			receipted_message_id: "77",
			message_state: 1,
		},
		{ operatorMessageId: "77", state: "intermediate" },
	],
])(
	"an operator's own receipt is understood: %s",
	async (_name, fields, receipt) => {
		const { receipts, smsc } = await startRoute();
		smsc.broadcast("deliver_sm", fields);
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(receipts[0]).toMatchObject(receipt);
	},
);

test("a receipt may come as data_sm", async () => {
	const { receipts, smsc } = await startRoute();
	smsc.broadcast("data_sm", {
		esm_class: 4,
		receipted_message_id: "77",
		message_state: 2,
	});
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]).toMatchObject({ operatorMessageId: "77" });
});

test("what is kept of a receipt is without the text of the message", async () => {
	const { receipts, smsc } = await startRoute();
	const short_message = Buffer.from(
		"id:77 stat:DELIVRD err:000 text:secret code 123",
	);
	smsc.broadcast("deliver_sm", {
		esm_class: 4,
		short_message,
		message_state: 2,
	});
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]?.raw).toBe("id:77 stat:DELIVRD err:000 message_state=2");
});

test.each([
	[
		"a receipt without an id",
		{ esm_class: 4, short_message: Buffer.from("stat:DELIVRD") },
		"without id or state",
	],
	[
		"a message from a phone",
		{ short_message: Buffer.from("private words") },
		"message to us dropped",
	],
])(
	"%s is answered and logged, and stops nothing",
	async (_name, fields, words) => {
		const { submit, receipts, smsc, logs } = await startRoute();
		smsc.broadcast("deliver_sm", fields);
		await submit();
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(logs.join("")).toContain(words);
		expect(logs.join("")).not.toContain("private");
	},
);
