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

test("a receipt is responded to only after it is stored", async () => {
	const stored = Promise.withResolvers<void>();
	const { submit, receipts, smsc } = await startRoute({
		onReceipt: () => stored.promise,
	});
	await submit();
	// A later exchange on the same connection proves that the response had its chance.
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

test("a receipt whose session died before the response comes again on the next one", async () => {
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
