import type { Db } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import {
	MANY,
	type Statements,
	testStatements,
} from "@airtower/platform/testing/statements";
import { BULK } from "../src/domain/lanes.ts";
import { createPartitions } from "../src/jobs/keep-partitions.ts";
import { migrations } from "../src/migrations.ts";
import {
	deleteReleases,
	findReleases,
	insertRelease,
} from "../src/store/quota-releases.ts";
import {
	deleteScheduled,
	lockDueScheduled,
	stageMessages,
} from "../src/store/scheduled-messages.ts";

const BATCH = 100;
/** Rows read and index searches for one message; what grows with the tables takes hundreds. */
const MOST_PER_MESSAGE = 25;
const ROUTE = "smpp";
const DAY_MS = 86_400_000;
/** How old a release must be to be found, ms. */
const AGE_MS = 10_000;

const epoch = Date.now() - MANY;
/** The message that was accepted `n` milliseconds after the first. */
const idOf = (n: number) => firstIdAt(new Date(epoch + n));
const ids = Array.from({ length: BATCH }, (_, nth) => idOf(MANY / 2 + nth));
const organizationId = idOf(0);
const release = { organizationId, messageId: idOf(2 * MANY) };

const STATEMENTS: Statements = {
	lockDueScheduled: (sql) => lockDueScheduled(sql, BATCH),
	stageMessages: (sql) =>
		stageMessages(
			sql,
			ids.map((id) => ({ id, route: ROUTE, lane: BULK })),
			DAY_MS,
		),
	deleteScheduled: (sql) =>
		deleteScheduled(sql, organizationId, idOf(MANY / 2)),
	insertRelease: (sql) => insertRelease(sql, release),
	findReleases: (sql) => findReleases(sql, AGE_MS, BATCH),
	deleteReleases: (sql) => deleteReleases(sql, ids),
};

testStatements({
	migrations,
	statements: STATEMENTS,
	queues: ["scheduled_messages", "quota_releases", "dispatch"],
	mostReads: BATCH * MOST_PER_MESSAGE,
	fill: async (sql, first, last) => {
		await createPartitions(sql, new Date());
		await insertRows(sql, first, last);
	},
});

/** Messages of one organization that wait for their time, half of them due, each with quota to be given back. */
async function insertRows(sql: Db, first: number, last: number): Promise<void> {
	const rows = sql`(
		select
			n,
			(lpad(to_hex(${epoch}::bigint + n), 12, '0') || '00000000000000000000')::uuid as id
		from generate_series(${first}::int, ${last}::int) as n
	) as row`;
	await sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value,
			segments, concat_reference, route, accepted_at
		)
		select id, ${organizationId}, '+33612345678', 'Hello', id, 'Shop', 1, 0, ${ROUTE}, now()
		from ${rows}
	`;
	await sql`
		insert into scheduled_messages (message_id, organization_id, route, segments, due_at)
		select id, ${organizationId}, ${ROUTE}, 1, now() + case n % 2 when 0 then 1 else -1 end * interval '1 hour'
		from ${rows}
	`;
	await sql`
		insert into quota_releases (message_id, organization_id, canceled_at)
		select id, ${organizationId}, now() - interval '1 hour'
		from ${rows}
	`;
}
