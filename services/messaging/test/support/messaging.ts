import type { Db } from "@airtower/platform/database/database";
import { findOutboxEntries } from "@airtower/platform/events/outbox";
import type { Clock } from "@airtower/platform/runtime/clock";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { Logger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { silentLog } from "@airtower/platform/testing/log";
import {
	type MessageOutcome,
	MessageOutcomeSchema,
} from "@airtower/proto/common/v1/message_outcome";
import {
	type MessageAccepted,
	SendMessageSchema,
	type SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { acceptMessages } from "../../src/accepting/accept-messages.ts";
import {
	type Context,
	createCommonContext,
	createContext,
	type Limits,
} from "../../src/context.ts";
import {
	createDeliveryContext,
	type DeliveryContext,
} from "../../src/delivery-context.ts";
import type { Dispatcher } from "../../src/dispatching/dispatcher.ts";
import type { SenderIdState } from "../../src/domain/sender-id-state.ts";
import { createPartitions } from "../../src/jobs/create-partitions.ts";
import { dispatchMessages } from "../../src/jobs/dispatch-messages.ts";
import { retryReceipts } from "../../src/jobs/retry-receipts.ts";
import { migrations } from "../../src/migrations.ts";
import { findTracedMessage } from "../../src/store/messages.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import {
	createScriptedOperator,
	type ScriptedOperator,
} from "./scripted-operator.ts";

export type MessageInit = MessageInitShape<typeof SendMessageSchema>;

type TestContext = Context & DeliveryContext;

/** The service's parts on a real, empty database; its loops run only when a test runs them. */
export interface TestMessaging {
	readonly database: TestDatabase;
	readonly sql: Db;
	readonly ctx: TestContext;
	readonly ledger: Ledger;
	readonly operator: ScriptedOperator;
	readonly dispatcher: Dispatcher;
	/** A process of its own on the same database, with the same operator and ledger. */
	replica(overrides?: TestOverrides): Promise<TestReplica>;
	close(): Promise<void>;
}

export interface TestReplica {
	readonly ctx: TestContext;
	readonly operator: ScriptedOperator;
	readonly dispatcher: Dispatcher;
}

export interface TestOverrides {
	readonly clock?: Clock;
	readonly random?: () => number;
	readonly limits?: Partial<Limits>;
	readonly operator?: ScriptedOperator;
	readonly log?: Logger;
}

const LIMITS: Limits = {
	validityMs: 24 * 3_600_000,
	unknownWaitMs: 60_000,
	unknownPolicy: "resend_once",
	leaseMs: 15_000,
};

export async function startTestMessaging(
	overrides: TestOverrides = {},
): Promise<TestMessaging> {
	const database = await testDatabase(migrations);
	const { sql } = database;
	await createPartitions(sql, new Date());
	const ledger = createLedger();
	const stop = new AbortController();

	async function replica(overrides: TestOverrides = {}): Promise<TestReplica> {
		const operator = overrides.operator ?? createScriptedOperator();
		const common = createCommonContext({
			sql,
			log: overrides.log ?? silentLog,
			metrics: createMetrics("messaging"),
			limits: { ...LIMITS, ...overrides.limits },
			clock: overrides.clock,
		});
		const delivery = await createDeliveryContext(common, {
			operators: [operator],
			signal: stop.signal,
			wakeRelay: () => {},
			random: overrides.random,
		});
		const ctx = {
			...delivery,
			...createContext(common, {
				accounts: ledger.client,
				route: operator.code,
				routes: [operator],
				announceWork: () => {},
			}),
		};
		await operator.start({ onReceipt: ctx.receiptIntake.add });
		return { ctx, operator, dispatcher: onlyDispatcher(ctx) };
	}

	return {
		database,
		sql,
		ledger,
		replica,
		...(await replica(overrides)),
		close: async () => {
			stop.abort();
			await database.drop();
		},
	};
}

function onlyDispatcher(ctx: DeliveryContext): Dispatcher {
	const [dispatcher] = ctx.dispatchers;
	if (dispatcher === undefined) throw new Error("There is no dispatcher.");
	return dispatcher;
}

/** An organization with quota and an approved default sender. */
export async function organizationWith(
	test: Pick<TestMessaging, "sql" | "ledger">,
	quota: number,
): Promise<string> {
	const id = uuidv7();
	test.ledger.balances.set(id, quota);
	await insertSender(test.sql, id, { value: "Airtower", isDefault: true });
	return id;
}

export interface TestSender {
	readonly value: string;
	readonly status?: SenderIdState;
	readonly isDefault?: boolean;
}

export async function insertSender(
	sql: Db,
	organizationId: string,
	sender: TestSender,
): Promise<string> {
	const { value, status = "approved", isDefault = false } = sender;
	const id = uuidv7();
	await sql`
		insert into sender_ids (id, organization_id, value, status, is_default)
		values (${id}, ${organizationId}, ${value}, ${status}, ${isDefault})
	`;
	return id;
}

/** A message that is in order, but for the given fields. */
export function messageTo(
	organizationId: string,
	fields: MessageInit = {},
): MessageInit {
	return { organizationId, to: "+33612345678", body: "Hello", ...fields };
}

export function send(
	{ ctx }: Pick<TestMessaging, "ctx">,
	messages: readonly MessageInit[],
): Promise<SendResult[]> {
	return acceptMessages(
		ctx,
		messages.map((message) => create(SendMessageSchema, message)),
		new AbortController().signal,
	);
}

/** Sends messages of which none may be refused; answers their ids. */
export async function sendAll(
	test: Pick<TestMessaging, "ctx">,
	messages: readonly MessageInit[],
): Promise<string[]> {
	const results = await send(test, messages);
	return results.map((result) => acceptedOf(result).messageId);
}

/** Sends one message that must be accepted; answers its id. */
export async function sendOne(
	test: Pick<TestMessaging, "ctx">,
	message: MessageInit,
): Promise<string> {
	const [id = ""] = await sendAll(test, [message]);
	return id;
}

export function acceptedOf(result: SendResult | undefined): MessageAccepted {
	if (result?.result.case === "accepted") return result.result.value;
	throw new Error(`The message was refused: ${reasonOf(result)}`);
}

/** Why a message was refused, or "accepted". */
export function reasonOf(result: SendResult | undefined): string | undefined {
	return result?.result.case === "refused"
		? result.result.value.reason
		: result?.result.case;
}

/** Runs claim, submit and settle until nothing is due. */
export async function dispatchAll(replica: TestReplica): Promise<void> {
	const { ctx, dispatcher } = replica;
	do await dispatcher.idle();
	while ((await dispatchMessages(ctx, dispatcher)) > 0);
}

/** Looks again for the parts of parked receipts that are due. */
export async function retryAll({ ctx }: TestReplica): Promise<void> {
	while ((await retryReceipts(ctx)) > 0);
}

export interface MessageRow {
	readonly status: string;
	readonly reason: string | null;
	readonly attempts: number;
	readonly possibleDuplicate: boolean;
}

/** A message as it is shown. */
export async function messageRow(sql: Db, id: string): Promise<MessageRow> {
	const row = await findTracedMessage(sql, id);
	if (row === undefined) throw new Error("There is no such message.");
	const { status, reason, attempts, possibleDuplicate } = row;
	return { status, reason, attempts, possibleDuplicate };
}

export async function statusOf(sql: Db, id: string): Promise<string> {
	return (await messageRow(sql, id)).status;
}

export interface DispatchState {
	readonly state: string;
	readonly attempt: number;
	readonly refusals: number;
	/** Seconds until it is due; negative when it is due already. */
	readonly dueInS: number;
}

/** The message's place in the queue, undefined once it has left it. */
export async function dispatchOf(
	sql: Db,
	id: string,
): Promise<DispatchState | undefined> {
	const [row] = await sql<DispatchState[]>`
		select
			case
				when token is not null then 'submitting'
				when unknown then 'unknown'
				else 'queued'
			end as state,
			attempt,
			refusals,
			extract(epoch from due_at - now())::float8 as "dueInS"
		from dispatch
		where message_id = ${id}
	`;
	return row;
}

/** Lets the time pass that waiting messages and receipts wait for. */
export async function makeAllDue(sql: Db): Promise<void> {
	await sql`update dispatch set due_at = now() where token is null`;
	await sql`update receipts set due_at = now() where due_at < 'infinity'`;
}

/** Every outcome event that was recorded, oldest first. */
export async function outcomes(sql: Db): Promise<MessageOutcome[]> {
	const entries = await findOutboxEntries(sql, 10_000);
	return entries.map(({ event }) =>
		fromBinary(MessageOutcomeSchema, event.payload),
	);
}

export async function outcomesOf(
	sql: Db,
	messageId: string,
): Promise<string[]> {
	return (await outcomes(sql))
		.filter((outcome) => outcome.messageId === messageId)
		.map(({ status, errorCode }) => errorCode || status);
}
