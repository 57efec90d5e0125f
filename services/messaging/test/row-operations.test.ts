import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	messageTo,
	organizationWith,
	sendAll,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { statusOf } from "./support/rows.ts";

/**
 * So few that their versions fit on one page: where another test's transaction keeps old ones, an update finds room
 * all the same.
 */
const COUNT = 5;

let messaging: TestMessaging;
let organization: string;

beforeAll(async () => {
	messaging = await startTestMessaging();
	organization = await organizationWith(messaging, COUNT);
});

afterAll(() => messaging.close());

/** Rows written since the tables were made, by table; partitions count as their table. */
async function writtenRows() {
	const { sql } = messaging;
	const tables = await sql<
		{
			table: string;
			inserted: number;
			updated: number;
			hot: number;
			deleted: number;
		}[]
	>`
		select
			regexp_replace(relname, '_(\\d+|default)$', '') as table,
			sum(n_tup_ins) as inserted,
			sum(n_tup_upd) as updated,
			sum(n_tup_hot_upd) as hot,
			sum(n_tup_del) as deleted
		from pg_stat_user_tables
		where schemaname = current_schema()
		group by 1
	`;
	return new Map(
		tables.map(({ table, ...rows }) => [
			table,
			Object.fromEntries(
				Object.entries(rows).map(([what, count]) => [what, Number(count)]),
			),
		]),
	);
}

test("an SMS of one part takes eight row operations and an event's insert, and a share of its batch's event; every update is heap-only", async () => {
	const { dispatcher, operator, sql } = messaging;
	const ids = await sendAll(
		messaging,
		Array.from({ length: COUNT }, () => messageTo(organization)),
	);
	operator.slots = COUNT;
	while ((await dispatcher.round()) > 0) await dispatcher.idle();
	await Promise.all(
		ids.map((id) => operator.receipt(operator.idOf(id), "delivered")),
	);
	for (const id of ids) expect(await statusOf(sql, id)).toBe("delivered");

	const each = (inserted: number, updated: number, deleted: number) => ({
		inserted: inserted * COUNT,
		updated: updated * COUNT,
		hot: updated * COUNT,
		deleted: deleted * COUNT,
	});
	// The server's sessions report what they did within a second.
	await eventually(async () => {
		const written = await writtenRows();
		expect(written.get("messages")).toEqual(each(1, 2, 0));
		expect(written.get("dispatch")).toEqual(each(1, 1, 1));
		expect(written.get("parts")).toEqual(each(1, 0, 0));
		expect(written.get("receipts")).toEqual(each(0, 0, 0));
		const events = written.get("outbox");
		expect(events?.inserted).toBeGreaterThan(COUNT);
		expect(events?.inserted).toBeLessThanOrEqual(2 * COUNT);
		expect(events).toMatchObject({ updated: 0, deleted: 0 });
	});
});
