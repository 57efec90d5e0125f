import { type Tx, transaction } from "@airtower/platform/database/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	findQuotaSince,
	listLedgerEntries,
} from "../src/store/ledger-entries.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith } from "./support/organizations.ts";

/** Enough that a scan of them shows; LEDGER_ROWS asks for more. */
const ROWS = Number(process.env.LEDGER_ROWS ?? 100_000);
/** Rows that a call may read beside those it answers. */
const MAX_READS = 10;
const LIMIT = 50;
const INSERT_TIMEOUT_MS = 120_000;

let service: TestAccounts;
let organizationId: string;

beforeAll(async () => {
	service = await startTestAccounts();
	organizationId = await organizationWith(service, ROWS);
	const { sql } = service.ctx;
	await sql.begin(async (sql) => {
		await sql.unsafe(`
			set local statement_timeout = 0;
			set local transaction_timeout = 0;
		`);
		await sql`
			insert into ledger_entries (
				organization_id, created_at, id, kind, units, balance_after, channel, message_id
			)
			select
				${organizationId},
				now() + nth * interval '1 ms',
				gen_random_uuid(),
				'usage',
				-1,
				${ROWS}::bigint - nth,
				'sms',
				gen_random_uuid()
			from generate_series(1, ${ROWS}::bigint) nth
		`;
		await sql`
			update balances
			set balance = 0
			where organization_id = ${organizationId}
		`;
	});
	await sql`vacuum analyze ledger_entries`;
}, INSERT_TIMEOUT_MS);

afterAll(() => service.close());

/** Rows and index entries that `work` makes the database read. */
async function readsOf(work: (sql: Tx) => Promise<unknown>): Promise<number> {
	return transaction(service.ctx.sql, async (sql) => {
		const before = await readsSoFar(sql);
		await work(sql);
		return (await readsSoFar(sql)) - before;
	});
}

/** What this session has read and not yet added to the server's statistics. */
async function readsSoFar(sql: Tx): Promise<number> {
	const [row] = await sql<{ reads: number }[]>`
		select sum(pg_stat_get_xact_tuples_returned(oid))::bigint as reads
		from pg_class
		where oid = 'ledger_entries'::regclass
		or oid in (
			select indexrelid
			from pg_index
			where indrelid = 'ledger_entries'::regclass
		)
	`;
	return row?.reads ?? 0;
}

/** A prepared statement is planned anew for its first five runs, then perhaps once for all. */
const RUNS = 8;

test("an account is read without a look at its usage", async () => {
	expect(await service.account.getAccount({ organizationId })).toMatchObject({
		smsRemaining: 0n,
		smsUsedThisPeriod: BigInt(ROWS),
	});
	for (let run = 0; run < RUNS; run++)
		expect(
			await readsOf((sql) => findQuotaSince(sql, organizationId, new Date(0))),
		).toBeLessThan(MAX_READS);
});

test("a page from the middle of the ledger reads its own rows only", async () => {
	const { sql } = service.ctx;
	const [middle] = await sql<{ createdAt: Date; id: string }[]>`
		select created_at as "createdAt", id
		from ledger_entries
		where organization_id = ${organizationId}
		order by created_at
		offset ${Math.floor(ROWS / 2)}
		limit 1
	`;
	for (const after of [undefined, middle])
		for (let run = 0; run < RUNS; run++)
			expect(
				await readsOf((sql) =>
					listLedgerEntries(sql, organizationId, { limit: LIMIT, after }),
				),
			).toBeLessThan(LIMIT + MAX_READS);
});
