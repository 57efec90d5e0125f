import { randomUUID } from "node:crypto";
import type { Db, Tx } from "@airtower/platform/database/database";
import { testStatements } from "@airtower/platform/testing/statements";
import { migrations } from "../src/migrations.ts";
import {
	disableFailingEndpoints,
	findActiveEndpoints,
	findSubscriptions,
	lockAddresses,
	recordTallies,
} from "../src/store/active-endpoints.ts";
import {
	lockDelivery,
	markAbandonedDead,
	queueAgain,
	redriveDeliveries,
} from "../src/store/deliveries.ts";
import {
	claimDeliveries,
	findDueEndpoints,
	isBeingSentTo,
	settleDeliveries,
} from "../src/store/delivery-queue.ts";
import {
	countRetiredSecrets,
	deleteOldSecrets,
	replaceSecret,
} from "../src/store/endpoint-secrets.ts";
import {
	deleteOldEndpoints,
	findEndpointStatus,
	updateEndpoint,
} from "../src/store/endpoints.ts";
import { blankOldTexts } from "../src/store/event-texts.ts";
import { deleteOldEvents, insertEvents } from "../src/store/events.ts";
import {
	findDelivery,
	listDeliveriesOfMessage,
	listEndpointDeliveries,
	listOldestDeliveries,
} from "../src/store/listed-deliveries.ts";
import { measureDeliveries } from "../src/store/measure-deliveries.ts";

const BATCH = 100;
/** More than the head of one endpoint's queue. */
const MOST_READS = 3_000;
const TOKEN = randomUUID();

/** The id of row `n`, in every table. */
const idOf = (n: number) =>
	String(n)
		.padStart(32, "0")
		.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
const ACTIVE = idOf(1);
const DELIVERY = { eventId: idOf(5), endpointId: ACTIVE };
const PAGES = ([undefined, "pending", "delivered", "dead"] as const).flatMap(
	(status) =>
		[undefined, idOf(50_000)].map((after) => ({
			status,
			after,
			end: undefined,
			endpointId: ACTIVE,
			limit: BATCH,
		})),
);
const ids = Array.from({ length: BATCH }, (_, i) => idOf(5 * i + 3));

/**
 * Of five events one is old and dead, the others are queued, every fifth for an endpoint that is disabled. An organization
 * that has none keeps texts for no time.
 */
async function fill(sql: Db, first: number, last: number): Promise<void> {
	await sql`
		insert into leases (token, lease_until)
		values (${TOKEN}, 'infinity')
		on conflict do nothing
	`;
	await sql`
		insert into retention (organization_id, body_days)
		values (${idOf(2)}, 0)
		on conflict do nothing
	`;
	await sql`
		with row as (
			select n, lpad(n::text, 32, '0')::uuid as id, n % 5 as kind
			from generate_series(${first}::int, ${last}::int) n
		),
		endpoint as (
			insert into endpoints (id, organization_id, url, subscribed_events, status, disabled_reason, disabled_at, secret)
			select
				id, id, '', '{}',
				case n % 2 when 1 then 'active' else 'disabled' end,
				case n % 2 when 0 then 'gone' end,
				case n % 2 when 0 then now() end,
				''
			from row
		),
		retired as (
			insert into retired_secrets (endpoint_id, secret, signs_until)
			select id, '', now() + (n % 2 - 0.5) * interval '1 hour'
			from row
		),
		event as (
			insert into events (id, organization_id, message_id, type, body, occurred_at, created_at, endpoint_ids)
			select id, ${ACTIVE}, id, case n % 3 when 0 then 'message.received' else '' end, '', now(), now() - (kind = 0)::int * interval '40 days', array[${ACTIVE}]::uuid[]
			from row
		),
		attempt as (
			insert into attempts (event_id, endpoint_id, attempt, duration_ms)
			select id, ${ACTIVE}, 1, 1
			from row
		),
		dead as (
			insert into dead_deliveries (event_id, endpoint_id, attempt, error)
			select id, ${ACTIVE}, 1, ''
			from row
			where kind = 0
		)
		insert into delivery_queue (event_id, endpoint_id, attempt, token)
		select id, case kind when 2 then ${idOf(2)} else ${ACTIVE} end::uuid, 1, case kind when 3 then ${TOKEN}::uuid end
		from row
		where kind > 0
	`;
}

testStatements({
	migrations,
	fill,
	queues: ["delivery_queue"],
	mostReads: MOST_READS,
	statements: {
		findSubscriptions: (sql) => findSubscriptions(sql, ids),
		insertEvents: (sql) =>
			insertEvents(
				sql,
				ids.map((messageId) => ({
					id: randomUUID(),
					messageId,
					organizationId: ACTIVE,
					type: "",
					body: "",
					endpointIds: [ACTIVE],
					occurredAt: new Date(),
					createdAt: new Date(),
				})),
			),
		findDueEndpoints: (sql) => findDueEndpoints(sql, BATCH),
		claimDeliveries: (sql) =>
			claimDeliveries(sql, [{ endpointId: ACTIVE, slots: BATCH }], TOKEN),
		measureDeliveries: (sql) => measureDeliveries(sql, BATCH),
		findActiveEndpoints: (sql) => findActiveEndpoints(sql, ids),
		lockAddresses: (sql) => lockAddresses(sql, ids),
		settleDeliveries: (sql) =>
			settleDeliveries(
				sql,
				ids.map((eventId, i) => ({
					eventId,
					endpointId: ACTIVE,
					token: TOKEN,
					attempt: 1,
					url: "",
					httpStatus: 200,
					error: "",
					durationMs: 1,
					isOwnFailure: false,
					state: i % 2 ? "pending" : "dead",
					delayMs: i % 2 ? 1 : null,
				})),
			),
		recordTallies: (sql) =>
			recordTallies(
				sql,
				ids.map((endpointId, i) => ({
					endpointId,
					succeeded: i % 2,
					failed: 1,
					goneUrl: "",
				})),
			),
		isBeingSentTo: (sql) => isBeingSentTo(sql, ACTIVE),
		markAbandonedDead: (sql) => markAbandonedDead(sql, BATCH),
		redriveDeliveries: (sql) => redriveDeliveries(sql, ACTIVE, BATCH),
		listDeliveriesOfMessage: (sql) => listDeliveriesOfMessage(sql, "*", ACTIVE),
		listOldestDeliveries: (sql) => listOldestDeliveries(sql, "*", BATCH),
		findDelivery: (sql) => findDelivery(sql, ACTIVE, DELIVERY),
		lockDelivery: (sql) => lockDelivery(sql, ACTIVE, DELIVERY),
		queueAgain: (sql) => queueAgain(sql, DELIVERY),
		...Object.fromEntries(
			PAGES.map((page) => [
				`listEndpointDeliveries ${page.status} ${page.after}`,
				(sql: Tx) => listEndpointDeliveries(sql, ACTIVE, page),
			]),
		),
		findEndpointStatus: (sql) => findEndpointStatus(sql, ACTIVE, ACTIVE),
		updateEndpoint: (sql) =>
			updateEndpoint(sql, ACTIVE, ACTIVE, {
				url: "",
				subscribedEvents: [],
				enable: true,
			}),
		replaceSecret: (sql) => replaceSecret(sql, ACTIVE, ACTIVE, Buffer.of(1)),
		countRetiredSecrets: (sql) => countRetiredSecrets(sql, ACTIVE),
		deleteOldSecrets: (sql) => deleteOldSecrets(sql, BATCH),
		disableFailingEndpoints: (sql) => disableFailingEndpoints(sql, 5, 20),
		deleteOldEvents: (sql) =>
			deleteOldEvents(sql, { days: 30, after: null, limit: BATCH }),
		blankOldTexts: (sql) => blankOldTexts(sql, 30, BATCH),
		deleteOldEndpoints: (sql) => deleteOldEndpoints(sql, 40, BATCH),
	},
});
