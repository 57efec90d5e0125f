import { expect, test } from "vitest";
import { outcomes } from "../support/rows.ts";
import { numberOf, startDoctorWorld, type Told } from "./doctor-world.ts";

/** Ids of an operator that counts on. */
const FIRST_ID = 9_308_878_062_554n;
const hex = (n: number) => (FIRST_ID + BigInt(n)).toString(16);
const dec = (n: number) => (FIRST_ID + BigInt(n)).toString();
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

test("an operator that now writes its ids in decimal in receipts: 3,000 parked ones are diagnosed, and each ends its own message once", async () => {
	const world = await startDoctorWorld("hex");
	const told = range(3_000).map(
		(n): Told => ({ responded: hex(n), receipted: dec(n), to: numberOf(n) }),
	);
	const ids = await world.tell(told);
	const open = await world.tell([
		{ responded: hex(9_000), to: numberOf(9_000) },
	]);

	const { accounts } = await world.doctor.listParkedReceipts({});
	expect(accounts).toMatchObject([
		{ account: "one", routes: ["one"], receipts: 3_000n, ambiguous: 0n },
	]);
	const [sample] = accounts[0]?.samples ?? [];
	expect(sample?.numbers).toEqual(["*******2999"]);

	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	expect(found).toMatchObject({
		account: "one",
		receipts: 3_000n,
		parts: 3_001n,
		asStored: { matched: 0n, contradicted: 0n },
	});
	expect(found.findings.map(({ proposal }) => proposal)).toEqual([
		"ids=hex-dec",
		"ids=auto",
	]);
	expect(found.findings[0]).toMatchObject({
		isProposed: true,
		tally: { matched: 3_000n, ambiguous: 0n, contradicted: 0n },
	});
	expect(found.conclusions[0]).toBe(
		"3000 of 3000 receipts match with ids=hex-dec; the route has ids=hex.",
	);
	await world.replay();
	expect(await world.delivered()).toEqual([]);

	expect(await world.apply("one", "ids=hex-dec")).toMatchObject({
		routes: ["one"],
		parts: 0,
		receipts: 3_000,
	});
	await world.replay();
	expect(await world.delivered()).toEqual(ids.toSorted());
	expect(await world.parked()).toBe(0);
	const ended = (await outcomes(world.sql)).map(({ messageId }) => messageId);
	expect(ended).toHaveLength(ids.length);
	expect(new Set(ended)).toEqual(new Set(ids));
	expect(ended).not.toContain(open[0]);
	const { route } = await world.admin.getRoute({ code: "one" });
	expect(route?.settings).toMatchObject({ ids: "hex-dec" });
	const entries = await world.sql`
		select subject, before, after
		from audit_entries
		where action = 'apply_diagnosis'
		order by id
	`;
	expect(entries[0]).toEqual({
		subject: "one",
		before: { ids: "hex" },
		after: { ids: "hex-dec" },
	});
	expect(entries.slice(1).map(({ after }) => after)).toEqual([
		{ proposal: "ids=hex-dec", receipts: 1_000 },
		{ proposal: "ids=hex-dec", receipts: 1_000 },
		{ proposal: "ids=hex-dec", receipts: 1_000 },
	]);
});

test("where the form of responses was wrong the parts that wait get their keys anew, and later receipts find them too", async () => {
	const world = await startDoctorWorld("hex");
	const told = range(50).map(
		(n): Told => ({ responded: dec(n), receipted: hex(n), to: numberOf(n) }),
	);
	const ids = await world.tell(told);
	await world.tell([{ responded: dec(60), to: numberOf(60) }]);
	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	expect(found.findings[0]).toMatchObject({
		proposal: "ids=dec-hex",
		tally: { matched: 50n },
	});
	const done = await world.apply("one", "ids=dec-hex");
	expect(done).toMatchObject({ parts: 51, receipts: 50 });
	await world.replay();
	expect(await world.delivered()).toEqual(ids.toSorted());
	const [part] = await world.sql`
		select operator_key as key
		from parts
		where operator_message_id = ${dec(60)}
	`;
	expect(part?.key).toBe(hex(60));
});

test("two accounts that are crossed: each one's receipts are named as the other's, and moved there", async () => {
	const world = await startDoctorWorld("hex");
	const crossed = range(40).flatMap((n): Told[] => [
		{ responded: hex(n), receipted: hex(n), to: numberOf(n), receiptOn: "two" },
		{
			responded: hex(1_000 + n),
			receipted: hex(1_000 + n),
			to: numberOf(1_000 + n),
			account: "two",
			receiptOn: "one",
		},
	]);
	const ids = await world.tell(crossed);
	for (const [own, other] of [
		["one", "two"],
		["two", "one"],
	] as const) {
		const found = await world.doctor.diagnoseReceipts({ account: own });
		expect(found.findings.filter(({ isProposed }) => isProposed)).toMatchObject(
			[{ proposal: `account=${other}`, tally: { matched: 40n } }],
		);
		expect(found.conclusions).toEqual([
			`40 of 40 receipts came for account ${own} and are of messages of account ${other}.`,
		]);
	}
	expect(await world.apply("one", "account=two")).toMatchObject({
		receipts: 40,
	});
	expect(await world.apply("two", "account=one")).toMatchObject({
		receipts: 40,
	});
	await world.replay();
	expect(await world.delivered()).toEqual(ids.toSorted());
	expect(await outcomes(world.sql)).toHaveLength(80);
});

test("a mixture is told apart: what is another account's, what is of another form, and what fits nothing stays", async () => {
	const world = await startDoctorWorld("hex");
	const other = await world.tell(
		range(30).map((n) => ({
			responded: hex(n),
			receipted: hex(n),
			to: numberOf(n),
			account: "two",
			receiptOn: "one",
		})),
	);
	const decimal = await world.tell(
		range(20).map((n) => ({
			responded: hex(100 + n),
			receipted: dec(100 + n),
			to: numberOf(100 + n),
		})),
	);
	/** The ids of messages of account two, to other numbers than the receipts name. */
	await world.tell(
		range(10).map((n) => ({
			responded: hex(200 + n),
			receipted: hex(200 + n),
			to: numberOf(200 + n),
			account: "two",
			receiptOn: "one",
			names: [numberOf(5_000 + n)],
		})),
	);
	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	const proposed = found.findings.filter(({ isProposed }) => isProposed);
	expect(proposed.map(({ proposal }) => proposal)).toEqual([
		"account=two",
		"ids=hex-dec",
		"ids=auto",
	]);
	expect(proposed.map(({ tally }) => tally)).toMatchObject([
		{ matched: 30n, contradicted: 10n },
		{ matched: 20n, contradicted: 0n },
		{ matched: 20n, contradicted: 0n },
	]);
	expect(await world.apply("one", "account=two")).toMatchObject({
		receipts: 30,
	});
	await world.apply("one", "ids=hex-dec");
	await world.replay();
	expect(await world.delivered()).toEqual([...other, ...decimal].toSorted());
	expect(await world.parked()).toBe(10);
});

test("where nothing fits nothing is proposed, and it is said why", async () => {
	const world = await startDoctorWorld("hex");
	await world.tell(
		range(12).map((n) => ({
			responded: hex(n),
			receipted: `other-${n}`,
			to: numberOf(n),
		})),
	);
	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	expect(found.findings).toEqual([]);
	expect(found.conclusions[0]).toMatch(/^No form of ids .* the 12 receipts/);

	const two = await world.doctor.diagnoseReceipts({ account: "two" });
	expect(two.conclusions).toEqual(["No receipt is parked for this account."]);
});

test("an operator that counts anew gives ids of open messages to other numbers: nothing is proposed", async () => {
	const world = await startDoctorWorld("hex");
	await world.tell(
		range(12).map((n) => ({
			responded: hex(n),
			receipted: hex(n),
			to: numberOf(n),
			names: [numberOf(100 + n)],
		})),
	);
	const found = await world.doctor.diagnoseReceipts({ account: "one" });
	expect(found.findings.filter(({ isProposed }) => isProposed)).toEqual([]);
	expect(found.conclusions[0]).toMatch(
		/^12 of 12 receipts have ids of messages to other numbers/,
	);
	await world.apply("one", "ids=auto");
	await world.replay();
	expect(await world.delivered()).toEqual([]);
});

test("receipts of an account without a route are listed and diagnosed by the account's name", async () => {
	const world = await startDoctorWorld("hex");
	const ids = await world.tell(
		range(3).map((n) => ({
			responded: hex(n),
			receipted: dec(n),
			to: numberOf(n),
			account: "gone@smsc.example",
		})),
	);
	const { accounts } = await world.doctor.listParkedReceipts({});
	expect(accounts).toMatchObject([
		{ account: "gone@smsc.example", routes: [], receipts: 3n },
	]);
	const account = "gone@smsc.example";
	const found = await world.doctor.diagnoseReceipts({ account });
	expect(found.findings[0]?.proposal).toBe("ids=hex-dec");
	const done = await world.apply(account, "ids=hex-dec");
	expect(done).toMatchObject({ routes: [], receipts: 3 });
	await world.replay();
	expect(await world.delivered()).toEqual(ids.toSorted());
});
