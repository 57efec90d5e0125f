import { randomUUID } from "node:crypto";
import {
	connectDatabase,
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import { stopAutovacuum } from "@airtower/platform/testing/plans";
import { readBy } from "@airtower/platform/testing/reads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	claimDispatch,
	markSubmitting,
	releaseUnbegun,
} from "../src/store/claims.ts";
import {
	deleteDispatch,
	deleteDispatched,
	postponeDispatch,
} from "../src/store/dispatch.ts";
import {
	finishMessages,
	forgetAttempts,
	lockMessages,
	markSubmitted,
	markUnknown,
	noteRefusals,
} from "../src/store/message-changes.ts";
import { findOutgoing } from "../src/store/messages.ts";
import { firstIdAt } from "../src/store/partitions.ts";
import {
	findPartsProgress,
	findTakenParts,
	finishParts,
} from "../src/store/parts.ts";
import {
	claimReceipts,
	deleteReceipts,
	matchReceipts,
	parkReceipts,
} from "../src/store/receipts.ts";
import { startTestMessaging, type TestMessaging } from "./support/messaging.ts";

/** Messages that have ended, and that are under way: claimed, with a part and a receipt. */
const ENDED = 10_000;
const OPEN = 2_000;
const BATCH = 500;
/** The server counts the rows of a table by itself once some fifty have changed. */
const FEW = 100;
/**
 * Rows read and index searches for one message. A few serve to find its row in each table, in each of the weeks
 * to come and for each part of a key; what grows with the tables takes hundreds.
 */
const MOST_PER_MESSAGE = 15;

const organizationId = randomUUID();
const token = randomUUID();

/** What a statement works on. */
interface Batch {
	readonly ids: readonly string[];
	readonly receiptIds: readonly number[];
}

const fencesOf = ({ ids }: Batch) =>
	ids.map((messageId) => ({ messageId, token, attempt: 1 }));

/** The statements that take a list. */
const STATEMENTS: Record<string, (sql: Tx, batch: Batch) => Promise<unknown>> =
	{
		claimDispatch: (sql, { ids }) =>
			claimDispatch(sql, "other", [organizationId], ids.length, token),
		markSubmitting: (sql, batch) => markSubmitting(sql, fencesOf(batch)),
		releaseUnbegun: (sql, batch) => releaseUnbegun(sql, fencesOf(batch)),
		deleteDispatched: (sql, batch) => deleteDispatched(sql, fencesOf(batch)),
		deleteDispatch: (sql, { ids }) => deleteDispatch(sql, ids),
		postponeDispatch: (sql, batch) =>
			postponeDispatch(
				sql,
				fencesOf(batch).map((fence, nth) => ({
					...fence,
					state: "queued",
					delayMs: 2_000 + nth,
					refusals: 1,
					doubtful: false,
				})),
			),
		findOutgoing: (sql, { ids }) => findOutgoing(sql, ids),
		lockMessages: (sql, { ids }) => lockMessages(sql, ids),
		markSubmitted: (sql, { ids }) =>
			markSubmitted(
				sql,
				ids.map((id) => ({ id, partCount: 1 })),
			),
		markUnknown: (sql, { ids }) => markUnknown(sql, ids),
		forgetAttempts: (sql, { ids }) => forgetAttempts(sql, ids),
		noteRefusals: (sql, { ids }) =>
			noteRefusals(
				sql,
				ids.map((id) => ({ id, operatorError: "0x14" })),
			),
		finishMessages: (sql, { ids }) =>
			finishMessages(
				sql,
				ids.map((id) => ({ id, status: "delivered", reason: null })),
			),
		findTakenParts: (sql, { ids }) => findTakenParts(sql, ids),
		findPartsProgress: (sql, { ids }) => findPartsProgress(sql, ids),
		finishParts: (sql, { ids }) =>
			finishParts(
				sql,
				ids.map((messageId) => ({
					messageId,
					number: 1,
					partCount: 1,
					state: "delivered",
					reason: null,
					operatorError: "000",
				})),
			),
		claimReceipts: (sql, { ids }) => claimReceipts(sql, ids.length),
		matchReceipts: (sql, { receiptIds }) =>
			matchReceipts(sql, receiptIds, YESTERDAY),
		parkReceipts: (sql, { receiptIds }) =>
			parkReceipts(
				sql,
				receiptIds.map((id) => ({ id, delayMs: 250 })),
			),
		deleteReceipts: (sql, { receiptIds }) => deleteReceipts(sql, receiptIds),
	};

const STARTED_AT = Date.now() - 60_000;
const DAY_MS = 24 * 3_600_000;
const YESTERDAY = firstIdAt(new Date(Date.now() - DAY_MS));

describe.each([
	{ name: "statistics of a time when nothing was under way", counted: ENDED },
	{ name: "plans made while the tables were empty", planned: 0 },
	{ name: "plans made for few messages", planned: FEW, counted: FEW },
])("with $name", ({ planned, counted }) => {
	let messaging: TestMessaging;
	let sql: Db;
	let batch: Batch;

	beforeAll(async () => {
		messaging = await startTestMessaging();
		sql = connectDatabase({
			url: messaging.database.url,
			schema: messaging.database.schema,
			poolSize: 1,
			applicationName: "plans",
			plansByIndex: true,
		});
		await stopAutovacuum(sql);
		const early = planned ?? ENDED;
		await insertMessages(messaging.sql, idsFrom(0, early), "delivered");
		if (counted !== undefined)
			for (const table of ["messages", "parts", "dispatch", "receipts"])
				await messaging.sql`analyze ${messaging.sql(table)}`;
		if (planned !== undefined) await planAll(sql);
		const late = idsFrom(early, ENDED - early);
		await insertMessages(messaging.sql, late, "delivered");
		batch = await insertWork(messaging.sql);
	});

	afterAll(async () => {
		await sql.end();
		await messaging.close();
	});

	test.each(Object.entries(STATEMENTS))(
		"%s reads no more than its batch",
		async (_name, run) => {
			const read = await readBy(sql, (sql) => run(sql, batch));
			expect(read).toBeGreaterThanOrEqual(BATCH);
			expect(read).toBeLessThanOrEqual(BATCH * MOST_PER_MESSAGE);
		},
	);
});

/** Every statement is prepared, and keeps the plan of this moment, as a service does that has just been installed. */
async function planAll(sql: Db): Promise<void> {
	await sql`set plan_cache_mode = force_generic_plan`;
	const batch = { ids: [firstIdAt(new Date())], receiptIds: [1] };
	for (const run of Object.values(STATEMENTS))
		await transaction(sql, (sql) => run(sql, batch));
}

/** Ids of messages that came a millisecond apart. */
function idsFrom(nth: number, count: number): string[] {
	return Array.from({ length: count }, (_, place) =>
		firstIdAt(new Date(STARTED_AT + nth + place)),
	);
}

/** Stores messages under way, each due at a time of its own; answers a batch from among them. */
async function insertWork(sql: Db): Promise<Batch> {
	const open = idsFrom(ENDED, OPEN);
	await insertMessages(sql, open, "submitting");
	await sql`
		insert into dispatch (message_id, organization_id, route, state, due_at, expires_at, attempt, token)
		select
			id, ${organizationId}, 'simulator', 'claimed',
			now() - nth * interval '1 millisecond', now() + interval '1 day', 1, ${token}
		from unnest(${open}::uuid[]) with ordinality as one (id, nth)
	`;
	await sql`
		insert into dispatch (message_id, organization_id, route, due_at, expires_at)
		select
			gen_random_uuid(), ${organizationId}, 'other',
			now() - nth * interval '1 millisecond', now() + interval '1 day'
		from generate_series(1, ${OPEN}) as nth
	`;
	const receipts = await sql<{ id: number }[]>`
		insert into receipts (
			operator_account, operator_message_id, match_keys, state, operator_error, raw, due_at
		)
		select
			'account', nth, array['key-' || nth], 'delivered', '000', '',
			now() - nth * interval '1 millisecond'
		from generate_series(1, ${OPEN}) as nth
		returning id
	`;
	const middle = OPEN / 2;
	return {
		ids: open.slice(middle, middle + BATCH),
		receiptIds: receipts.slice(middle, middle + BATCH).map(({ id }) => id),
	};
}

async function insertMessages(
	sql: Db,
	ids: readonly string[],
	status: "delivered" | "submitting",
): Promise<void> {
	const ended = status === "delivered";
	await sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value, segments,
			concat_reference, route, status, attempts, finished_at
		)
		select
			id, ${organizationId}, '+33612345678', 'Hello', ${randomUUID()}, 'ACME', 1,
			0, 'simulator', ${status}, 1, case when ${ended}::boolean then now() end
		from unnest(${[...ids]}::uuid[]) as id
	`;
	await sql`
		insert into parts (
			message_id, number, part_count, operator_account, operator_message_id, operator_key, state
		)
		select
			id, 1, 1, 'account', nth,
			case when ${ended}::boolean then 'ended-' || nth else 'key-' || nth end,
			case when ${ended}::boolean then 'delivered' else 'submitted' end
		from unnest(${[...ids]}::uuid[]) with ordinality as one (id, nth)
	`;
}
