import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrations } from "../src/migrations.ts";
import { startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	outcomeEvents,
	takeIn,
} from "./support/stage.ts";

const EVENTS = 20;

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase(migrations);
});
afterAll(() => database.drop());

it("an event with one endpoint costs two inserts, one heap-only update and one delete", async () => {
	const receiver = await startReceiver();
	const ctx = await createStageContext(database);
	const { organizationId } = await addEndpoint(ctx, receiver.url);
	const events = outcomeEvents(organizationId, EVENTS);
	await takeIn(ctx, events);
	await deliverAll(ctx);
	await takeIn(ctx, events);
	await ctx.poster.close();
	await receiver.close();
	// A session reports what it did when it ends.
	await ctx.sql.end();
	await eventually(async () =>
		expect([
			...(await database.sql`
				select relname as table, n_tup_ins as inserted, n_tup_upd as updated, n_tup_hot_upd as hot, n_tup_del as deleted
				from pg_stat_user_tables
				where schemaname = ${database.schema}
				and n_tup_ins + n_tup_upd + n_tup_del > 0
				and relname not in ('migrations', 'leases', 'database_clock')
				order by relname
			`),
		]).toEqual([
			{
				table: "delivery_queue",
				inserted: EVENTS,
				updated: EVENTS,
				hot: EVENTS,
				deleted: EVENTS,
			},
			{ table: "endpoints", inserted: 1, updated: 0, hot: 0, deleted: 0 },
			{ table: "events", inserted: EVENTS, updated: 0, hot: 0, deleted: 0 },
		]),
	);
});
