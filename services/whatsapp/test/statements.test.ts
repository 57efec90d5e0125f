import { randomUUID } from "node:crypto";
import type { Db } from "@airtower/platform/database/database";
import {
	idOf,
	MANY,
	type Statements,
	testStatements,
} from "@airtower/platform/testing/statements";
import { migrations } from "../src/migrations.ts";
import {
	claimCallbacks,
	deleteOldCallbacks,
	endCallbacks,
} from "../src/store/callbacks.ts";
import {
	learnWaId,
	lockConversation,
	touchConversations,
} from "../src/store/conversations.ts";
import { claimDispatch } from "../src/store/dispatch/claims.ts";
import {
	deleteClaimed,
	deleteDispatch,
	deleteUnclaimed,
	findOverdue,
} from "../src/store/dispatch/dispatch.ts";
import {
	deleteDispatched,
	markSubmitting,
	postponeDispatch,
} from "../src/store/dispatch/owned-dispatch.ts";
import { pauseNumbers, pauseRecipients } from "../src/store/dispatch/pacing.ts";
import { putPreferences } from "../src/store/marketing-preferences.ts";
import {
	findUnknownAge,
	findUnsentAge,
} from "../src/store/measured-dispatch.ts";
import {
	findByProviderIds,
	findOverdueUnknown,
	lockMessages,
	updateProgress,
} from "../src/store/message-changes.ts";
import {
	deleteOldConversations,
	deleteOldMessages,
} from "../src/store/old-records.ts";
import {
	clearClosedWindows,
	findWindows,
	openWindow,
} from "../src/store/windows.ts";

const BATCH = 200;
/** Rows read and index searches for one message; what grows with the tables takes hundreds. */
const MOST_PER_MESSAGE = 12;

const organizationId = randomUUID();
const phoneNumberId = randomUUID();
const token = randomUUID();
const numbers = Array.from({ length: BATCH }, (_, nth) => MANY / 2 + nth);
const ids = numbers.map(idOf);
const fences = ids.map((messageId) => ({ messageId, token, attempt: 1 }));
const keys = numbers.map((nth) => ({
	organizationId,
	phoneNumberId,
	recipient: `+33${600_000_000 + nth}`,
}));
const users = keys.slice(0, 20).map(({ recipient }) => ({
	organizationId,
	phoneNumberId,
	recipient,
	waId: recipient.slice(1),
	userId: `user-${recipient}`,
}));

function preferencesOf(recipients: readonly string[]) {
	const said = { phoneNumberId, isStopped: true, at: new Date() };
	return recipients.map((recipient) => ({ ...said, recipient }));
}

/** The nth message, its conversation or its callback. Every other message is held by a process. */

const STATEMENTS: Statements = {
	touchConversations: (sql) => touchConversations(sql, keys),
	findWindows: (sql) => findWindows(sql, keys),
	learnWaId: async (sql) => {
		for (const key of keys.slice(0, 20))
			await learnWaId(sql, key, `9${key.recipient.slice(1)}`);
	},
	"lockConversation and openWindow": async (sql) => {
		for (const user of users) {
			const id = await lockConversation(sql, user);
			await openWindow(sql, id, user, new Date());
		}
	},
	clearClosedWindows: (sql) => clearClosedWindows(sql, BATCH),
	claimDispatch: (sql) =>
		claimDispatch(sql, {
			token,
			limit: BATCH,
			ratePerSecond: 10 * BATCH,
			burstMs: 1_000,
		}),
	markSubmitting: (sql) => markSubmitting(sql, fences),
	deleteDispatched: (sql) => deleteDispatched(sql, fences),
	postponeDispatch: (sql) =>
		postponeDispatch(
			sql,
			fences.map((fence) => ({ ...fence, delayMs: 1_000, refusals: 1 })),
		),
	findOverdue: (sql) => findOverdue(sql, BATCH),
	deleteClaimed: (sql) => deleteClaimed(sql, ids, [token]),
	deleteUnclaimed: (sql) => deleteUnclaimed(sql, ids),
	deleteDispatch: (sql) => deleteDispatch(sql, ids),
	pauseNumbers: (sql) =>
		pauseNumbers(sql, { taken: [phoneNumberId], throttled: [phoneNumberId] }),
	pauseRecipients: (sql) =>
		pauseRecipients(
			sql,
			keys.map((key) => ({ ...key, delayMs: 6_000 })),
		),
	findByProviderIds: (sql) =>
		findByProviderIds(
			sql,
			ids.map((id) => ({ phoneNumberId, providerMessageId: id })),
		),
	findUnsentAge: (sql) => findUnsentAge(sql, BATCH),
	findUnknownAge: (sql) => findUnknownAge(sql, 1_000),
	findOverdueUnknown: (sql) => findOverdueUnknown(sql, BATCH),
	"lockMessages and updateProgress": async (sql) =>
		updateProgress(sql, await lockMessages(sql, ids)),
	claimCallbacks: (sql) => claimCallbacks(sql, BATCH),
	endCallbacks: (sql) =>
		endCallbacks(
			sql,
			ids.map((id) => ({ id, state: "processed", delayMs: 0, note: "" })),
		),
	deleteOldMessages: (sql) => deleteOldMessages(sql, new Date(), BATCH),
	deleteOldConversations: (sql) =>
		deleteOldConversations(sql, new Date(), BATCH),
	"putPreferences of new users": (sql) =>
		putPreferences(sql, preferencesOf(users.map(({ waId }) => `+9${waId}`))),
	"putPreferences of known users": (sql) =>
		putPreferences(sql, preferencesOf(keys.map(({ recipient }) => recipient))),
	deleteOldCallbacks: (sql) => deleteOldCallbacks(sql, "processed", 7, BATCH),
};

testStatements({
	migrations,
	statements: STATEMENTS,
	fill: insertRows,
	queues: ["dispatch", "callbacks"],
	mostReads: BATCH * MOST_PER_MESSAGE,
});

/** A conversation, a message, a place in the queue and a callback for each of these numbers. */
async function insertRows(sql: Db, first: number, last: number): Promise<void> {
	if (first === 1) await insertNumber(sql);
	const rows = sql`
		select
			nth,
			('00000000-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid as id,
			'+33' || 600000000 + nth as recipient
		from generate_series(${first}::int, ${last}::int) as nth
	`;
	await sql`
		insert into conversations (
			id, organization_id, phone_number_id, recipient, user_id,
			window_opened_at, window_expires_at, maybe_open, last_message_at
		)
		select
			id, ${organizationId}, ${phoneNumberId}, recipient, 'user-' || recipient,
			now() - interval '2 days', now() - interval '1 day', true,
			now() - case nth % 2 when 0 then 0 else 14 end * interval '1 day'
		from (${rows}) as one
	`;
	await sql`
		insert into messages (
			id, organization_id, phone_number_id, direction, type, recipient,
			status, billing_category, provider_message_id, unknown_until
		)
		select
			id, ${organizationId}, ${phoneNumberId}, 'outbound', 'text', recipient,
			case nth % 4 when 0 then 'accepted' when 2 then 'sent' else 'unknown' end, 'service', id::text, now()
		from (${rows}) as one
	`;
	await sql`
		insert into dispatch (
			message_id, phone_number_id, recipient, content, attempt, expires_at, token
		)
		select
			id, ${phoneNumberId}, recipient, '{}', 1, now(),
			case when nth % 2 = 1 and nth > ${MANY / 2} then ${token}::uuid end
		from (${rows}) as one
	`;
	await sql`
		insert into marketing_preferences (phone_number_id, recipient, organization_id, is_stopped, changed_at)
		select ${phoneNumberId}, recipient, ${organizationId}, false, now() - interval '1 day'
		from (${rows}) as one
	`;
	await sql`
		insert into callbacks (id, body, state, received_at)
		select
			id, ''::bytea, case nth % 2 when 0 then 'stored' else 'processed' end, now() - interval '8 days'
		from (${rows}) as one
	`;
}

async function insertNumber(sql: Db): Promise<void> {
	await sql`
		insert into leases (token, lease_until)
		values (${token}, now() + interval '1 day')
	`;
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
