import type { Db } from "@airtower/platform/database/database";
import type { Clock } from "@airtower/platform/runtime/clock";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { Logger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import {
	type TestDatabase,
	type TestDatabaseOptions,
	testDatabase,
} from "@airtower/platform/testing/database";
import { silentLog } from "@airtower/platform/testing/log";
import {
	type MessageAccepted,
	SendMessageSchema,
	type SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { acceptMessages } from "../../src/accepting/accept-messages.ts";
import {
	type Context,
	createCommonContext,
	createContext,
	type DeliveryContext,
	type Dispatcher,
	type Limits,
} from "../../src/context.ts";
import { createDeliveryContext } from "../../src/delivery.ts";
import { createDispatcher } from "../../src/dispatching/dispatcher.ts";
import type { SenderIdState } from "../../src/domain/sender-id-state.ts";
import { createPartitions } from "../../src/jobs/keep-partitions.ts";
import { repeatUnknown } from "../../src/jobs/repeat-unknown.ts";
import { retryReceipts } from "../../src/jobs/retry-receipts.ts";
import { migrations } from "../../src/migrations.ts";
import { parseSmppRoute } from "../../src/operators/route/smpp-route.ts";
import { fixedRoutes } from "../../src/routes/routes.ts";
import { openRouting, type Routing } from "../../src/routes/routing.ts";
import { openRouteSeries } from "../../src/telemetry.ts";
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

export interface TestOverrides extends TestDatabaseOptions {
	readonly clock?: Clock;
	readonly random?: () => number;
	readonly limits?: Partial<Limits>;
	readonly operator?: ScriptedOperator;
	/** Instead of the operator's route alone. */
	readonly routes?: Routing;
	readonly log?: Logger;
	/** Instead of the test's pool. */
	readonly sql?: Db;
}

export const TEST_ROUTE = parseSmppRoute("smpp://test:test@127.0.0.1:9");

export const LIMITS: Limits = {
	validityMs: 24 * 3_600_000,
	unknownWaitMs: 60_000,
	unknownPolicy: "resend_once",
	unknownDeadlineMs: null,
	noReceiptMs: 72 * 3_600_000,
	// Longer than any test: nobody renews it, and a claim whose lease is over is put back for ever.
	leaseMs: 600_000,
	bodyDays: 30,
	recordMonths: 13,
};

const PARTITIONS_OF_NOW = {
	name: "partitions of now",
	make: (sql: Db) => createPartitions(sql, new Date()),
};

export async function startTestMessaging(
	overrides: TestOverrides = {},
): Promise<TestMessaging> {
	const { hasMovableClock = false } = overrides;
	const database = await testDatabase(migrations, {
		hasMovableClock,
		beginning: PARTITIONS_OF_NOW,
	});
	const { sql } = database;
	const ledger = createLedger();
	const stop = new AbortController();

	async function replica(overrides: TestOverrides = {}): Promise<TestReplica> {
		const operator = overrides.operator ?? createScriptedOperator();
		const common = createCommonContext({
			sql: overrides.sql ?? sql,
			log: overrides.log ?? silentLog,
			metrics: createMetrics("messaging"),
			limits: { ...LIMITS, ...overrides.limits },
			clock: overrides.clock,
		});
		const { code, account } = operator;
		const routes =
			overrides.routes ??
			(await openRouting(sql, fixedRoutes([{ ...TEST_ROUTE, code, account }])));
		const delivery = await createDeliveryContext(common, {
			signal: stop.signal,
			wakeRelay: () => {},
			wakeDispatch: () => {},
			routes,
			random: overrides.random,
		});
		const ctx = {
			...delivery,
			...createContext(common, {
				accounts: ledger.client,
				routes,
				ring: undefined,
				receiptIntake: delivery.receiptIntake,
				inboundIntake: delivery.inboundIntake,
				announceWork: () => {},
			}),
		};
		openRouteSeries(ctx.telemetry, operator.code);
		const dispatcher = createDispatcher(ctx, operator);
		ctx.dispatchers.push(dispatcher);
		await operator.start({
			onReceipt: ctx.receiptIntake.add,
			onMessage: ctx.inboundIntake.add,
		});
		return { ctx, operator, dispatcher };
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

/** A database of its own, with an organization that may send. */
export async function startWithOrganization() {
	const messaging = await startTestMessaging();
	const organization = await organizationWith(messaging, 10_000);
	return { messaging, organization };
}

interface TestSender {
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

/** Sends messages of which none may be refused; returns their ids. */
export async function sendAll(
	test: Pick<TestMessaging, "ctx">,
	messages: readonly MessageInit[],
): Promise<string[]> {
	const results = await send(test, messages);
	return results.map((result) => acceptedOf(result).messageId);
}

/** Sends one message that must be accepted; returns its id. */
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
	do {
		await dispatcher.idle();
		await repeatUnknown(ctx);
	} while ((await dispatcher.round()) > 0);
}

/** A message that the operator has taken. */
export async function submittedMessage(
	messaging: TestMessaging,
	organization: string,
): Promise<string> {
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	return id;
}

/** Looks again for the parts of parked receipts that are due. */
export async function retryAll({ ctx }: TestReplica): Promise<void> {
	while ((await retryReceipts(ctx)) > 0);
}
