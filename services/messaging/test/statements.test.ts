import { randomUUID } from "node:crypto";
import type { Db } from "@airtower/platform/database/database";
import { firstIdAt, LOWEST_ID } from "@airtower/platform/runtime/ids";
import {
	MANY,
	type Statements,
	testStatements,
} from "@airtower/platform/testing/statements";
import { BULK, LANES, type Lane, OTP } from "../src/domain/lanes.ts";
import { type Week, weeksFrom } from "../src/domain/partition-weeks.ts";
import type { Receipt } from "../src/domain/receipts/receipt.ts";
import { createPartitions } from "../src/jobs/keep-partitions.ts";
import { migrations } from "../src/migrations.ts";
import {
	claimMessages,
	listDueOrganizations,
} from "../src/store/dispatch/dispatch-claims.ts";
import { findUnsentAge } from "../src/store/dispatch/dispatch-counts.ts";
import {
	deleteDispatch,
	deleteDispatched,
	moveMessages,
	postponeDispatch,
} from "../src/store/dispatch/dispatch-settles.ts";
import { deleteExpiredDispatch } from "../src/store/dispatch/expired-dispatch.ts";
import {
	allowRepeats,
	deleteUnknown,
	findDueUnknown,
	findUnknownMessages,
	measureUnknown,
} from "../src/store/dispatch/unknown-dispatch.ts";
import {
	findRoutesBehind,
	findWaiting,
	findWithoutParts,
	QUEUE_START,
} from "../src/store/dispatch/waiting-dispatch.ts";
import {
	findInboundTexts,
	findUnownedTexts,
} from "../src/store/inbound/inbound-messages.ts";
import { findInboundNumbers } from "../src/store/inbound/inbound-numbers.ts";
import {
	deleteParts,
	findOverdueTexts,
	findPartsOf,
	lockTexts,
} from "../src/store/inbound/inbound-parts.ts";
import {
	deleteForgottenSeen,
	findUnseen,
	insertSeen,
} from "../src/store/inbound/inbound-seen.ts";
import { blankLateBodies } from "../src/store/late-bodies.ts";
import { findMessages } from "../src/store/listed-messages.ts";
import {
	finishMessages,
	lockMessages,
	recordAttempts,
} from "../src/store/message-updates.ts";
import {
	findMissingMessageIds,
	listStoredMessages,
} from "../src/store/missing-messages.ts";
import {
	findParts,
	findPartsProgress,
	finishParts,
	replaceParts,
} from "../src/store/parts.ts";
import {
	blankInbound,
	findPassedInbound,
	findPassedMessages,
} from "../src/store/passed-bodies.ts";
import { findQuietHours } from "../src/store/quiet-hours.ts";
import {
	countParkedReceipts,
	findNewestReceipts,
	lockReceiptsAfter,
	replayReceipts,
} from "../src/store/receipts/parked-receipts.ts";
import {
	matchParkedReceipts,
	matchReceipts,
} from "../src/store/receipts/receipt-matches.ts";
import {
	claimReceipts,
	claimReceiptsOf,
	deleteReceipts,
	parkReceipts,
} from "../src/store/receipts/receipts.ts";
import {
	deleteAnswered,
	deleteReceipted,
	insertUnanswered,
	wakeReceipts,
} from "../src/store/receipts/unanswered.ts";
import { findUnanswered } from "../src/store/receipts/unanswered-candidates.ts";
import {
	findWaitingParts,
	findWaitingPartsOf,
	lockWaitingParts,
	rekeyParts,
} from "../src/store/receipts/waiting-parts.ts";
import {
	readPastReceipts,
	readRecentReceipts,
} from "../src/store/routes/receipt-history.ts";
import {
	requestReconnect,
	takeReconnects,
} from "../src/store/routes/route-connections.ts";
import { addTraffic } from "../src/store/routes/route-traffic.ts";
import { findSenders } from "../src/store/senders/sender-ids.ts";
import { findMessage, findTracedMessage } from "../src/store/shown-messages.ts";
import { findSubmitted } from "../src/store/without-receipt.ts";

const BATCH = 100;
/** Rows read and index searches for one message; what grows with the tables takes hundreds. */
const MOST_PER_MESSAGE = 25;
/** Without a divisor in common with 5: each has work that waits. */
const ORGANIZATIONS = 49;
const TOKEN = randomUUID();
/** All messages are older than this by more than the scan stays behind. */
const LATER = new Date(Date.now() + 86_400_000);
/** Whose texts go as the deployment says. */
const ALL_OTHERS = { organizationId: undefined, bodyDays: 0 };
const ROUTE = "smpp";

const [thisWeek] = weeksFrom(new Date(), 1) as [Week];
/** All are of one week: lists may read the whole partition of a second one that the server has not counted. */
const epoch = Math.max(Date.now() - MANY, thisWeek.from.getTime());
/** The message that was accepted `n` milliseconds after the first. */
const idOf = (n: number) => firstIdAt(new Date(epoch + n));
/** Messages on their way: every fifth. */
const places = Array.from({ length: BATCH }, (_, nth) => 50_001 + 5 * nth);
const ids = places.map(idOf);
const fences = ids.map((messageId) => ({
	messageId,
	token: TOKEN,
	attempt: 1,
}));
/** Messages that nobody holds. */
const waiting = places.map((n) => idOf(n + 1));
const limits = { firstId: LOWEST_ID, responseWaitMs: 120_000 };

const receipts = places.map(
	(n): Receipt => ({
		operatorAccount: "account",
		operatorMessageId: String(n),
		matchKeys: [`none ${n}`, String(n)],
		numberTails: ["2345678"],
		addresses: [],
		state: "delivered",
		operatorError: "",
		raw: "",
	}),
);

const page = { after: idOf(50_001), limit: BATCH };
const NO_FILTERS = {
	status: "",
	recipient: "",
	campaignId: "",
	clientReference: "",
	from: undefined,
	to: undefined,
};

const INBOUND_FILTERS = {
	senders: [],
	recipients: [],
	keyword: "",
	from: undefined,
	to: undefined,
};

/** Long texts of which every fifth has a part that waits. */
const textKeys = places.map((n) => ({
	operatorAccount: "account",
	sender: `+${n}`,
	recipient: "38600",
	referenceBits: 8,
	reference: n % 256,
	total: 2,
}));
const seen = places.map((n) => ({
	fingerprint: n.toString(16).padStart(64, "0"),
	keepMs: 600_000,
}));

function organizationOf(n: number): string {
	return (
		firstIdAt(new Date(0)).slice(0, -2) +
		String(n % ORGANIZATIONS).padStart(2, "0")
	);
}

const claimOf = (lane: Lane) => ({
	route: ROUTE,
	limit: BATCH,
	organizations: Array.from({ length: BATCH / 5 }, (_, n) => ({
		lane,
		organizationId: organizationOf(n),
		share: 5,
	})),
});

const STATEMENTS: Statements = {
	listDueOrganizations: (sql) =>
		listDueOrganizations(
			sql,
			LANES.map((lane) => ({
				route: ROUTE,
				lane,
				after: LOWEST_ID,
				most: ORGANIZATIONS,
			})),
		),
	"claimMessages of one-time passwords behind a campaign": (sql) =>
		claimMessages(sql, TOKEN, [claimOf(OTP)]),
	"claimMessages of a campaign": (sql) =>
		claimMessages(sql, TOKEN, [claimOf(BULK)]),
	deleteDispatched: (sql) => deleteDispatched(sql, fences),
	deleteDispatch: (sql) => deleteDispatch(sql, ids),
	deleteExpiredDispatch: (sql) => deleteExpiredDispatch(sql, idOf(1), BATCH),
	postponeDispatch: (sql) =>
		postponeDispatch(
			sql,
			fences.map((fence, nth) => ({
				...fence,
				unknown: false,
				mayRepeat: false,
				unsent: 0,
				resent: false,
				refusals: 1,
				unclear: false,
				sessionRefusals: 0,
				triedRoutes: null,
				delayMs: 2_000 + nth,
				keepsPlace: false,
				deadlineMs: null,
			})),
		),
	findWaiting: (sql) =>
		findWaiting(sql, {
			route: ROUTE,
			after: { ...QUEUE_START, organizationId: organizationOf(7) },
			overdueMs: null,
			withUnknown: true,
			limit: BATCH,
		}),
	findRoutesBehind: (sql) => findRoutesBehind(sql, [ROUTE, "other"], 5_000),
	findWithoutParts: (sql) => findWithoutParts(sql, waiting),
	moveMessages: (sql) =>
		moveMessages(
			sql,
			waiting.map((messageId) => ({
				messageId,
				from: ROUTE,
				to: "other",
				rulesVersion: null,
				waitMs: 0,
			})),
		),
	recordAttempts: (sql) =>
		recordAttempts(
			sql,
			ids.map((id) => ({
				id,
				status: "submitted",
				attempts: 1,
				possibleDuplicate: false,
				partCount: 1,
			})),
		),
	finishMessages: (sql) =>
		finishMessages(
			sql,
			ids.map((id) => ({ id, status: "delivered", reason: null })),
		),
	lockMessages: (sql) => lockMessages(sql, ids),
	findMissingMessageIds: (sql) => findMissingMessageIds(sql, ids),
	listStoredMessages: (sql) =>
		listStoredMessages(sql, idOf(50_000), idOf(MANY), BATCH),
	findTracedMessage: (sql) => findTracedMessage(sql, idOf(50_001)),
	findMessage: (sql) => findMessage(sql, organizationOf(50_001), idOf(50_001)),
	"findMessages of a page": (sql) =>
		findMessages(sql, organizationOf(1), { ...page, filters: NO_FILTERS }),
	"findMessages of a time": (sql) =>
		findMessages(sql, organizationOf(1), {
			...page,
			filters: {
				...NO_FILTERS,
				from: new Date(epoch - 1),
				to: new Date(epoch),
			},
		}),
	replaceParts: (sql) => replaceParts(sql, ids, []),
	findParts: (sql) => findParts(sql, idOf(50_001)),
	findPartsProgress: (sql) => findPartsProgress(sql, ids),
	finishParts: (sql) =>
		finishParts(
			sql,
			ids.map((messageId) => ({
				messageId,
				number: 1,
				partCount: 2,
				isLate: false,
				state: "delivered",
				reason: null,
				operatorError: "",
			})),
		),
	findSubmitted: (sql) => findSubmitted(sql, idOf(50_000), 0, BATCH),
	claimReceipts: (sql) => claimReceipts(sql, BATCH),
	claimReceiptsOf: (sql) => claimReceiptsOf(sql, ids, BATCH),
	findUnanswered: (sql) =>
		findUnanswered(
			sql,
			places,
			[{ code: ROUTE, account: "account", mayAddParts: true }],
			LOWEST_ID,
		),
	insertUnanswered: (sql) => insertUnanswered(sql, ids),
	wakeReceipts: (sql) => wakeReceipts(sql, ids),
	deleteAnswered: (sql) => deleteAnswered(sql, fences),
	deleteReceipted: (sql) => deleteReceipted(sql, ids),
	requestReconnect: (sql) => requestReconnect(sql, ROUTE),
	takeReconnects: (sql) => takeReconnects(sql, TOKEN),
	findDueUnknown: (sql) => findDueUnknown(sql, [ROUTE], BATCH),
	allowRepeats: (sql) => allowRepeats(sql, ids),
	deleteUnknown: (sql) => deleteUnknown(sql, ids),
	findUnknownMessages: (sql) => findUnknownMessages(sql, BATCH),
	findUnsentAge: (sql) => findUnsentAge(sql, BATCH),
	measureUnknown: (sql) => measureUnknown(sql, BATCH),
	countParkedReceipts: (sql) => countParkedReceipts(sql, BATCH),
	findNewestReceipts: (sql) => findNewestReceipts(sql, "account", BATCH, BATCH),
	lockReceiptsAfter: (sql) => lockReceiptsAfter(sql, "account", 50_000, BATCH),
	replayReceipts: (sql) =>
		replayReceipts(
			sql,
			places.map((id) => ({ id, account: "account", matchKeys: ["a", "b"] })),
		),
	findWaitingParts: (sql) =>
		findWaitingParts(sql, { first: idOf(1), before: idOf(60_000) }, BATCH),
	findWaitingPartsOf: (sql) =>
		findWaitingPartsOf(sql, "account", places.map(String), LOWEST_ID),
	lockWaitingParts: (sql) =>
		lockWaitingParts(
			sql,
			"account",
			{ messageId: idOf(50_000), number: 1 },
			BATCH,
		),
	rekeyParts: (sql) =>
		rekeyParts(
			sql,
			ids.map((messageId) => ({ messageId, number: 1, operatorKey: "key" })),
		),
	matchParkedReceipts: (sql) => matchParkedReceipts(sql, places, limits),
	matchReceipts: (sql) => matchReceipts(sql, receipts, limits),
	parkReceipts: (sql) =>
		parkReceipts(
			sql,
			places.map((id, nth) => ({ id, delayMs: nth })),
		),
	deleteReceipts: (sql) => deleteReceipts(sql, places),
	findPassedMessages: (sql) =>
		findPassedMessages(sql, ALL_OTHERS, idOf(50_000), LATER, BATCH),
	blankLateBodies: (sql) => blankLateBodies(sql, 0, BATCH),
	findPassedInbound: (sql) =>
		findPassedInbound(sql, ALL_OTHERS, idOf(50_000), LATER, BATCH),
	blankInbound: (sql) => blankInbound(sql, ids),
	insertSeen: (sql) => insertSeen(sql, seen),
	findUnseen: (sql) =>
		findUnseen(
			sql,
			seen.map(({ fingerprint }) => fingerprint),
		),
	deleteForgottenSeen: (sql) => deleteForgottenSeen(sql, BATCH),
	lockTexts: (sql) => lockTexts(sql, textKeys),
	findPartsOf: (sql) => findPartsOf(sql, textKeys),
	findOverdueTexts: (sql) => findOverdueTexts(sql, BATCH),
	deleteParts: (sql) => deleteParts(sql, places),
	findInboundNumbers: (sql) =>
		findInboundNumbers(
			sql,
			places.map((n) => `+${n}`),
		),
	"findInboundTexts of a page": (sql) =>
		findInboundTexts(sql, organizationOf(1), {
			...page,
			filters: INBOUND_FILTERS,
		}),
	findUnownedTexts: (sql) => findUnownedTexts(sql, BATCH),
	addTraffic: (sql) =>
		addTraffic(
			sql,
			places.map((n) => ({
				route: ROUTE,
				prefix: `+${n % 10}`,
				minute: new Date(Date.now() - (n % 50) * 60_000),
				submitted: 1,
				delivered: 0,
				failed: 0,
				receiptSeconds: 0,
			})),
		),
	readPastReceipts,
	readRecentReceipts,
	findQuietHours: (sql) => findQuietHours(sql, ids),
	findSenders: (sql) =>
		findSenders(sql, [
			...ids.map((id) => ({ organizationId: id, id })),
			...ids.map((id) => ({ organizationId: id, value: "Shop" })),
			...ids.map((id) => ({ organizationId: id })),
		]),
};

testStatements({
	migrations,
	statements: STATEMENTS,
	queues: [
		"dispatch",
		"unanswered",
		"receipts",
		"late_bodies",
		"inbound_parts",
		"inbound_seen",
	],
	mostReads: BATCH * MOST_PER_MESSAGE,
	fill: async (sql, first, last) => {
		await createPartitions(sql, new Date());
		await fillRows(sql, first, last);
	},
});

/** Of a campaign, but for a few one-time passwords. */
const laneOf = (sql: Db) =>
	sql`case when n % 500 = 7 then ${OTP}::int else ${BULK}::int end`;

/** Messages in the queue, every fifth on its way, each with a part, a receipt and a sender of its own. */
async function fillRows(sql: Db, first: number, last: number): Promise<void> {
	const rows = sql`(
		select
			n,
			n % 5 = 1 as held,
			(lpad(to_hex(${epoch}::bigint + n), 12, '0') || '00000000000000000000')::uuid as id,
			lpad((n % ${ORGANIZATIONS})::text, 32, '0')::uuid as organization_id
		from generate_series(${first}::int, ${last}::int) as n
	) as row`;
	await sql`
		insert into leases (token, lease_until)
		values (${TOKEN}, 'infinity')
		on conflict do nothing
	`;
	await sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value,
			segments, concat_reference, route, accepted_at
		)
		select id, organization_id, '+33612345678', 'Hello', id, 'Shop', 1, 0, ${ROUTE}, now() - interval '1 hour'
		from ${rows}
	`;
	await sql`
		insert into dispatch (message_id, organization_id, route, lane, expires_at, attempt, token)
		select id, organization_id, ${ROUTE}, ${laneOf(sql)}, now() + interval '1 day', held::int, case when held then ${TOKEN}::uuid end
		from ${rows}
	`;
	await sql`
		insert into parts (message_id, number, part_count, operator_account, operator_message_id, operator_key)
		select id, 1, 2, 'account', n, n
		from ${rows}
	`;
	await sql`
		insert into receipts (operator_account, operator_message_id, match_keys, state, operator_error, raw)
		select 'account', n, array['none ' || n, n::text], 'delivered', '', ''
		from ${rows}
	`;
	await sql`
		insert into unanswered (message_id, attempt, route, recipient_tail, sent_at, receipts_before)
		select id, 1, ${ROUTE}, lpad(n::text, 7, '0'), now() - interval '1 hour', ${MANY}
		from ${rows}
	`;
	await sql`
		insert into late_bodies (message_id, due_at)
		select id, now()
		from ${rows}
	`;
	await sql`
		insert into inbound_messages (
			id, organization_id, route, sender, recipient, body, encoding, part_count, is_complete
		)
		select id, case when held then organization_id end, ${ROUTE}, '+33612345678', '38600', 'Hello', 'gsm7', 1, true
		from ${rows}
	`;
	await sql`
		insert into inbound_parts (
			route, operator_account, sender, recipient, reference_bits, reference, total, number, charset, octets, due_at
		)
		select ${ROUTE}, 'account', '+' || n, '38600', 8, n % 256, 2, 1, 'gsm7', '', now()
		from ${rows}
	`;
	await sql`
		insert into inbound_seen (fingerprint, until)
		select decode(lpad(to_hex(n), 64, '0'), 'hex'), now()
		from ${rows}
	`;
	await sql`
		insert into inbound_numbers (number, organization_id)
		select '+' || n, organization_id
		from ${rows}
	`;
	await sql`
		insert into route_minutes (minute, route, submitted, delivered, failed, receipt_seconds)
		select now() - n * interval '1 minute', ${ROUTE}, 1, 1, 0, 1
		from ${rows}
	`;
	await sql`
		insert into route_prefix_hours (hour, route, prefix, submitted, delivered, failed)
		select now() - n * interval '1 minute', ${ROUTE}, '+33', 1, 1, 0
		from ${rows}
	`;
	await sql`
		insert into quiet_hours (organization_id, starts_at, ends_at)
		select id, 1260, 480
		from ${rows}
	`;
	await sql`
		insert into sender_ids (id, organization_id, value, status, is_default)
		select id, id, 'Shop', 'approved', true
		from ${rows}
	`;
}
