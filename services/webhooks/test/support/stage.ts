import { randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { sealSecret } from "@airtower/platform/runtime/secret-box";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { createIntake } from "../../src/consumers/message-outcomes.ts";
import {
	type ContextOverrides,
	createContext,
	type WebhooksContext,
} from "../../src/context.ts";
import { newSigningSecret } from "../../src/domain/signature.ts";
import { deliverDue } from "../../src/jobs/deliver.ts";
import { webhooksMigrations } from "../../src/migrations.ts";
import { insertEndpoint } from "../../src/store/endpoints.ts";

export interface StageOptions extends ContextOverrides {
	readonly allowPrivateAddresses?: boolean;
	readonly maxInFlight?: number;
	readonly maxPerEndpoint?: number;
}

/** One process of the service, without its loops: the tests turn the crank. */
export function createStageContext(
	database: TestDatabase,
	options: StageOptions = {},
): WebhooksContext {
	return createContext(
		{
			sql: database.connect(),
			log: silentLog,
			metrics: createMetrics("webhooks"),
			ring: testKeyRing,
			urlRules: {
				allowHttp: true,
				allowPrivateAddresses: options.allowPrivateAddresses ?? true,
			},
			maxInFlight: options.maxInFlight ?? 1_024,
			maxPerEndpoint: options.maxPerEndpoint ?? 64,
		},
		options,
	);
}

export function openDatabase(): Promise<TestDatabase> {
	return testDatabase(webhooksMigrations);
}

export interface TestEndpoint {
	readonly id: string;
	readonly organizationId: string;
	readonly secret: string;
}

/** Stores an endpoint as its registration would, without the checks of its URL. */
export async function addEndpoint(
	ctx: WebhooksContext,
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

/** Takes a batch in as the consumer would after its inbox check. */
export async function takeIn(
	ctx: WebhooksContext,
	events: BusEvent[],
): Promise<void> {
	const intake = createIntake(ctx);
	await transaction(ctx.sql, (sql) => intake.apply(sql, events));
	intake.committed(events);
}

/** Delivers what is due, round after round, until nothing is. */
export async function deliverAll(ctx: WebhooksContext): Promise<void> {
	for (;;) {
		ctx.look.at = -Infinity;
		const started = await deliverDue(ctx);
		if (started === 0 && ctx.flights.size === 0) return;
		await Promise.all(ctx.flights);
	}
}

/** Starts what can be started now and waits for nothing. */
export async function startDue(ctx: WebhooksContext): Promise<number> {
	ctx.look.at = -Infinity;
	return deliverDue(ctx);
}

export interface StoredDelivery {
	readonly eventId: string;
	readonly endpointId: string;
	readonly state: string;
	readonly attempt: number;
	readonly lastHttpStatus: number | null;
	readonly lastError: string | null;
	/** Seconds until the next attempt. */
	readonly dueIn: number | null;
}

/** The deliveries to one endpoint. */
export async function deliveriesTo(
	ctx: WebhooksContext,
	endpointId: string,
): Promise<StoredDelivery[]> {
	return ctx.sql<StoredDelivery[]>`
		select
			event_id as "eventId",
			endpoint_id as "endpointId",
			state,
			attempt,
			last_http_status as "lastHttpStatus",
			last_error as "lastError",
			extract(epoch from due_at - now())::float8 as "dueIn"
		from deliveries
		where endpoint_id = ${endpointId}
		order by event_id
	`;
}

/** Makes every waiting delivery due, as the passing of time would. */
export async function letTimePass(ctx: WebhooksContext): Promise<void> {
	await ctx.sql`
		update deliveries
		set due_at = now()
		where state = 'pending'
	`;
}

/** Ends every lease, as the passing of time would. */
export async function endLeases(ctx: WebhooksContext): Promise<void> {
	await ctx.sql`
		update deliveries
		set lease_until = now() - interval '1 millisecond'
		where state = 'sending'
	`;
}
