import { randomUUID } from "node:crypto";
import { type Db, transaction } from "@airtower/platform/database/database";
import {
	parseNetwork,
	parsePorts,
} from "@airtower/platform/egress/address-guard";
import { committing } from "@airtower/platform/events/consumer";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import {
	type TestDatabase,
	type TestDatabaseOptions,
	testDatabase,
} from "@airtower/platform/testing/database";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { createLease } from "@airtower/platform/work/lease";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { consumerGroups } from "../../src/consumers/index.ts";
import {
	type Context,
	type ContextOverrides,
	createContext,
} from "../../src/context.ts";
import { findDue } from "../../src/jobs/find-due.ts";
import { migrations } from "../../src/migrations.ts";
import { newSigningSecret } from "../../src/rpc/new-signing-secret.ts";
import { insertEndpoint } from "../../src/store/endpoints.ts";

/** Nobody renews it, and a busy machine may take long for a test, ms. */
const LEASE_MS = 600_000;

export interface StageOptions extends ContextOverrides {
	readonly sql?: Db;
	/** 0 for a process that has stood still since it began to claim. */
	leaseMs?: number;
	readonly wakeSender?: () => void;
	readonly allowPrivateAddresses?: boolean;
	readonly ring?: KeyRing;
	readonly blockedNetworks?: readonly string[];
	readonly blockedPorts?: readonly string[];
	readonly egressProxy?: string;
	readonly maxInFlight?: number;
	readonly maxPerEndpoint?: number;
}

/** One process of the service, without its loops: the tests run each step themselves. */
export async function createStageContext(
	database: TestDatabase,
	options: StageOptions = {},
): Promise<Context> {
	const { sql = database.connect() } = options;
	return createContext(
		{
			sql,
			lease: await createLease(sql, options.leaseMs ?? LEASE_MS, silentLog),
			log: silentLog,
			signal: new AbortController().signal,
			wakeSender: options.wakeSender ?? (() => {}),
			metrics: createMetrics("webhooks"),
			ring: options.ring ?? testKeyRing,
			urlRules: {
				allowHttp: true,
				allowPrivateAddresses: options.allowPrivateAddresses ?? true,
				blockedNetworks: (options.blockedNetworks ?? []).map(parseNetwork),
				blockedPorts: (options.blockedPorts ?? []).map(parsePorts),
			},
			egressProxy: options.egressProxy,
			maxInFlight: options.maxInFlight ?? 1_024,
			maxPerEndpoint: options.maxPerEndpoint ?? 64,
			eventDays: 30,
			textDays: 30,
		},
		options,
	);
}

export function openDatabase(
	options?: TestDatabaseOptions,
): Promise<TestDatabase> {
	return testDatabase(migrations, options);
}

export interface TestEndpoint {
	readonly id: string;
	readonly organizationId: string;
	readonly secret: string;
}

/** Stores an endpoint as its registration would, without the checks of its URL. */
export async function addEndpoint(
	ctx: Context,
	url: string,
	organizationId: string = randomUUID(),
	subscribedEvents = ["message.delivered", "message.failed"],
): Promise<TestEndpoint> {
	const id = uuidv7();
	const secret = newSigningSecret();
	await transaction(ctx.sql, (sql) =>
		insertEndpoint(sql, {
			id,
			organizationId,
			url,
			subscribedEvents,
			secret: sealSecret(ctx.ring, secret, id),
		}),
	);
	return { id, organizationId, secret };
}

/** An outcome as messaging publishes it. */
export function outcomeEvent(
	organizationId: string,
	fields: MessageInitShape<typeof MessageOutcomeSchema> = {},
): BusEvent {
	const messageId = fields.messageId ?? uuidv7();
	const outcome = create(MessageOutcomeSchema, {
		messageId,
		organizationId,
		channel: "sms",
		status: "delivered",
		to: "+33612345678",
		occurredAt: timestampNow(),
		...fields,
	});
	return {
		id: uuidv7(),
		topic: topics.messagingOutcome,
		type: "airtower.common.v1.MessageOutcome",
		key: messageId,
		organizationId,
		payload: toBinary(MessageOutcomeSchema, outcome),
	};
}

export function outcomeEvents(
	organizationId: string,
	count: number,
): BusEvent[] {
	return Array.from({ length: count }, () => outcomeEvent(organizationId));
}

/** Takes a batch in as the consumer would. */
export async function takeIn(ctx: Context, events: BusEvent[]): Promise<void> {
	for (const { topics, apply } of consumerGroups(ctx)) {
		const own = events.filter(({ topic }) => topics.includes(topic));
		await committing(ctx.sql, (sql, afterCommit) =>
			apply(sql, own, afterCommit),
		);
	}
}

/** Delivers what is due, round after round, until nothing is. */
export async function deliverAll(ctx: Context): Promise<void> {
	for (;;) {
		const started = await startDue(ctx);
		if (started === 0 && ctx.sender.underWay() === 0) return;
		await ctx.sender.idle();
	}
}

/** Starts what can be started now and waits for nothing. */
export async function startDue(ctx: Context): Promise<number> {
	await findDue(ctx);
	return ctx.sender.round();
}

interface StoredDelivery {
	readonly eventId: string;
	readonly state: string;
	readonly attempt: number;
	readonly lastError: string | null;
	/** Seconds until the next attempt. */
	readonly dueIn: number | null;
}

/** The deliveries to one endpoint. */
export async function deliveriesTo(
	ctx: Context,
	endpointId: string,
): Promise<StoredDelivery[]> {
	return ctx.sql<StoredDelivery[]>`
		select
			e.id as "eventId",
			case
				when q.token is not null then 'sending'
				when q.event_id is not null then 'pending'
				when d.event_id is not null then 'dead'
				else 'delivered'
			end as state,
			coalesce(q.attempt - q.own_failures, d.attempt, last.attempt, 1) as attempt,
			coalesce(d.error, last.error) as "lastError",
			extract(epoch from q.due_at - now())::float8 as "dueIn"
		from events e
		left join delivery_queue q on q.event_id = e.id and q.endpoint_id = ${endpointId}
		left join dead_deliveries d on d.event_id = e.id and d.endpoint_id = ${endpointId}
		left join lateral (
			select attempt, error
			from attempts
			where event_id = e.id
			and endpoint_id = ${endpointId}
			order by id desc
			limit 1
		) last on d.event_id is null
		where ${endpointId} = any(e.endpoint_ids)
		order by e.id
	`;
}

/** Throws until a statement of the service waits for another transaction. */
export async function isBlocked({ sql, schema }: TestDatabase): Promise<void> {
	const rows = await sql`
		select
		from pg_stat_activity
		where application_name = ${schema}
		and wait_event_type = 'Lock'
	`;
	if (rows.count === 0) throw new Error("nothing waits");
}

/** Gives up what is queued for an endpoint, as the last failure would. */
export async function killAll(ctx: Context, endpointId: string): Promise<void> {
	await ctx.sql`
		with ended as (
			delete from delivery_queue
			where endpoint_id = ${endpointId}
			returning event_id, endpoint_id
		)
		insert into dead_deliveries (event_id, endpoint_id, attempt, error)
		select event_id, endpoint_id, 9, 'timeout'
		from ended
	`;
}

/** Makes every waiting delivery due, as the passing of time would. */
export async function letTimePass(ctx: Context): Promise<void> {
	await ctx.sql`
		update delivery_queue
		set due_at = now()
		where token is null
	`;
}

/** Ends every lease, as the passing of time would, but for the process's own. */
export async function endLeases(ctx: Context): Promise<void> {
	await ctx.sql`
		update leases
		set lease_until = renewed_at
		where token <> ${ctx.lease.token()}
	`;
}
