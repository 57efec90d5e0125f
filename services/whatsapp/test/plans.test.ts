import { randomUUID } from "node:crypto";
import type { Db } from "@airtower/platform/database/database";
import { analyzeGrownTables } from "@airtower/platform/database/table-statistics";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import {
	openPlanKeeper,
	planAll,
	type Statements,
	testReads,
} from "@airtower/platform/testing/plans";
import { afterAll, beforeAll, describe } from "vitest";
import { migrations } from "../src/migrations.ts";
import {
	claimCallbacks,
	deleteOldCallbacks,
	endCallbacks,
} from "../src/store/callbacks.ts";
import {
	clearClosedWindows,
	findWindows,
	learnWaIds,
	lockConversation,
	openWindow,
	touchConversations,
} from "../src/store/conversations.ts";
import {
	claimDispatch,
	deleteDispatch,
	deleteDispatched,
	deleteOverdueQueued,
	deleteOverdueUnknown,
	findSendFacts,
	holdUnknown,
	markDispatchSubmitting,
	orphanExpired,
	pauseRecipients,
	postponeDispatch,
	requeueExpired,
} from "../src/store/dispatch.ts";
import {
	failMessages,
	findByProviderIds,
	forgetAttempts,
	lockMessages,
	markSent,
	markSubmitting,
	markUnknown,
	noteProviderErrors,
	updateProgress,
} from "../src/store/messages.ts";

/** Conversations with a message each, and callbacks; of every tenth message something waits, in each state. */
const MANY = 10_000;
const BATCH = 200;
/** Rows read and index searches for one message; what grows with the tables takes hundreds. */
const MOST_PER_MESSAGE = 12;
const STATES = ["queued", "claimed", "submitting", "unknown"] as const;
type State = (typeof STATES)[number];

const organizationId = randomUUID();
const phoneNumberId = randomUUID();
const token = randomUUID();
const ids = idsIn(1);
const keys = ids.map((_, nth) => ({
	...{ organizationId, phoneNumberId },
	recipient: phone(MANY / 2 + 10 * nth),
}));
const users = keys.slice(0, 20).map(({ recipient }) => ({
	...{ organizationId, phoneNumberId, recipient },
	...{ waId: recipient.slice(1), userId: `user-${recipient}` },
}));
const day = { leaseMs: 60_000, validityMs: 86_400_000 };

/** A batch from the middle: messages of which something waits in this state, counted from 1. */
function idsIn(state: number): string[] {
	return Array.from({ length: BATCH }, (_, nth) =>
		idOf(MANY / 2 + 10 * nth + state),
	);
}

function idOf(nth: number): string {
	return `00000000-0000-7000-8000-${nth.toString().padStart(12, "0")}`;
}

function phone(nth: number): string {
	return `+3361${2_000_000 + nth}`;
}

function fencesIn(state: State) {
	return idsIn(STATES.indexOf(state) + 1).map((messageId) => ({
		...{ messageId, token, attempt: 1 },
	}));
}

const STATEMENTS: Statements = {
	touchConversations: (sql) => touchConversations(sql, keys),
	findWindows: (sql) => findWindows(sql, keys),
	learnWaIds: (sql) =>
		learnWaIds(
			sql,
			keys.map((key) => ({ ...key, waId: `9${key.recipient.slice(1)}` })),
		),
	lockConversation: async (sql) => {
		for (const user of users) await lockConversation(sql, user);
	},
	openWindow: async (sql) => {
		for (const [nth, user] of users.entries())
			await openWindow(sql, idOf(nth + 1), user, new Date());
	},
	clearClosedWindows: (sql) => clearClosedWindows(sql, BATCH),
	claimDispatch: (sql) =>
		claimDispatch(sql, {
			...{ token, leaseMs: day.leaseMs, limit: BATCH },
			...{ ratePerSecond: 10 * BATCH, burstMs: 1_000 },
		}),
	findSendFacts: (sql) => findSendFacts(sql, ids),
	markDispatchSubmitting: (sql) =>
		markDispatchSubmitting(sql, fencesIn("claimed"), day.leaseMs),
	deleteDispatched: (sql) => deleteDispatched(sql, fencesIn("submitting")),
	postponeDispatch: (sql) =>
		postponeDispatch(
			sql,
			fencesIn("submitting").map((fence) => ({
				...fence,
				...{ delayMs: 1_000, refusals: 1 },
			})),
		),
	holdUnknown: (sql) =>
		holdUnknown(sql, fencesIn("submitting"), day.validityMs),
	requeueExpired: (sql) => requeueExpired(sql, BATCH),
	orphanExpired: (sql) => orphanExpired(sql, BATCH, day.validityMs),
	deleteOverdueUnknown: (sql) => deleteOverdueUnknown(sql, BATCH),
	deleteOverdueQueued: (sql) => deleteOverdueQueued(sql, BATCH),
	deleteDispatch: (sql) => deleteDispatch(sql, ids),
	pauseRecipients: (sql) =>
		pauseRecipients(
			sql,
			keys.map((key) => ({ ...key, delayMs: 6_000 })),
		),
	markSubmitting: (sql) => markSubmitting(sql, ids),
	forgetAttempts: (sql) => forgetAttempts(sql, ids),
	markUnknown: (sql) => markUnknown(sql, ids),
	markSent: (sql) =>
		markSent(
			sql,
			ids.map((id) => ({ id, providerMessageId: `new-${id}` })),
		),
	noteProviderErrors: (sql) =>
		noteProviderErrors(
			sql,
			ids.map((id) => ({ id, text: "error" })),
		),
	failMessages: (sql) =>
		failMessages(
			sql,
			ids.map((id) => ({ id, code: "undeliverable" })),
		),
	findByProviderIds: (sql) =>
		findByProviderIds(
			sql,
			ids.map((id) => ({ phoneNumberId, providerMessageId: id })),
		),
	"lockMessages and updateProgress": async (sql) =>
		updateProgress(sql, await lockMessages(sql, ids)),
	claimCallbacks: (sql) => claimCallbacks(sql, BATCH),
	endCallbacks: (sql) =>
		endCallbacks(
			sql,
			ids.map((id) => ({ id, state: "processed", delayMs: 0, note: "" })),
		),
	deleteOldCallbacks: (sql) => deleteOldCallbacks(sql, "processed", 7, BATCH),
};

/** Plans of fewer rows need the server to count the tables that have grown since. */
const ENOUGH = 100;

describe.each([0, 1, 5, 41, 100, 300])("with plans of %i rows", (few) => {
	let database: TestDatabase;
	let sql: Db;

	beforeAll(async () => {
		database = await testDatabase(migrations);
		sql = await openPlanKeeper(database);
		await insertNumber(database.sql);
		await insertRows(database.sql, 1, few);
		if (few > 0) await database.sql`analyze`;
		await planAll(sql, STATEMENTS);
		await insertRows(database.sql, few + 1, MANY);
		if (few < ENOUGH) await analyzeGrownTables(sql);
	});

	afterAll(async () => {
		await sql.end();
		await database.drop();
	});

	testReads(STATEMENTS, () => sql, {
		least: users.length,
		most: BATCH * MOST_PER_MESSAGE,
	});
});

async function insertNumber(sql: Db): Promise<void> {
	await sql`
		insert into phone_numbers (
			id, organization_id, phone, provider_phone_number_id, provider_account_id, access_token
		)
		values (${phoneNumberId}, ${organizationId}, '+33100000000', '1', '1', ''::bytea)
	`;
	await sql`
		insert into pacing (phone_number_id)
		values (${phoneNumberId})
	`;
}

async function insertRows(sql: Db, first: number, last: number): Promise<void> {
	const numbers = sql`
		select
			nth,
			('00000000-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid as id,
			'+3361' || 2000000 + nth as recipient
		from generate_series(${first}::int, ${last}::int) as nth
	`;
	await sql`
		insert into conversations (
			id, organization_id, phone_number_id, recipient, user_id,
			window_opened_at, window_expires_at, maybe_open
		)
		select
			id, ${organizationId}, ${phoneNumberId}, recipient, 'user-' || recipient,
			now() - interval '2 days', now() - interval '1 day', true
		from (${numbers}) as one
	`;
	await sql`
		insert into messages (
			id, organization_id, phone_number_id, direction, type, recipient,
			status, billing_category, provider_message_id
		)
		select
			id, ${organizationId}, ${phoneNumberId}, 'outbound', 'text', recipient,
			'submitting', 'service', id::text
		from (${numbers}) as one
	`;
	await sql`
		insert into dispatch (
			message_id, phone_number_id, recipient, content, state, attempt, expires_at, token, lease_until
		)
		select
			id, ${phoneNumberId}, recipient, case when state <> 'unknown' then '{}'::jsonb end, state, 1, now(),
			case when is_held then ${token}::uuid end, case when is_held then now() end
		from (${numbers}) as one
		cross join lateral (select (${[...STATES]}::text[])[nth % 10] as state) as its
		cross join lateral (select state in ('claimed', 'submitting') as is_held) as lease
		where state is not null
	`;
	await sql`
		insert into callbacks (id, body, state, received_at)
		select
			id, ''::bytea, case nth % 2 when 0 then 'stored' else 'processed' end, now() - interval '8 days'
		from (${numbers}) as one
	`;
}
