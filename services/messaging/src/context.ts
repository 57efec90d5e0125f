import { type Clock, systemClock } from "@airtower/platform/clock";
import type { Db } from "@airtower/platform/database";
import type { Logger } from "@airtower/platform/log";
import type { Metrics } from "@airtower/platform/metrics";
import type { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { Client } from "@connectrpc/connect";
import {
	createSenderMemory,
	type SenderMemory,
} from "./accepting/sender-memory.ts";
import { createDispatcher, type Dispatcher } from "./dispatching/dispatcher.ts";
import { createLease, type Lease } from "./dispatching/lease.ts";
import { createSettler, type Settler } from "./dispatching/settler.ts";
import {
	createReferenceCounter,
	type ReferenceCounter,
} from "./domain/concat-reference.ts";
import { loggable } from "./errors.ts";
import type { Operator } from "./operators/operator.ts";
import { createReceiptIntake, type ReceiptIntake } from "./store-receipts.ts";
import { createTelemetry, type MessagingTelemetry } from "./telemetry.ts";

/** How long things may take, and what happens when an operator gives no answer. */
export interface MessagingLimits {
	/** Longest time a message may wait to be taken by an operator, ms. */
	readonly validityMs: number;
	/** Time that a receipt gets to resolve a message sent without an answer, ms. */
	readonly unknownWaitMs: number;
	readonly unknownPolicy: "resend_once" | "hold";
	/** How long the work of a process that shows no sign of life stays its own, ms. */
	readonly leaseMs: number;
}

/** Wakes the loops; each does nothing until its loop runs. */
export interface Pokes {
	claim: () => void;
	dispatch: () => void;
	receipts: () => void;
	relay: () => void;
}

/** The accounts service, as far as it is needed here. */
export type AccountsClient = Pick<
	Client<typeof AccountsService>,
	"reserveQuota" | "releaseQuota"
>;

/** What every handler and job works with. */
export interface MessagingContext {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: MessagingTelemetry;
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
	readonly accounts: AccountsClient;
	readonly limits: MessagingLimits;
	/** Code of the route that new messages take. */
	readonly route: string;
	readonly senders: SenderMemory;
	readonly references: ReferenceCounter;
	readonly dispatchers: readonly Dispatcher[];
	readonly lease: Lease;
	readonly settler: Settler;
	readonly receiptIntake: ReceiptIntake;
	readonly poke: Pokes;
}

export interface ContextSettings {
	readonly sql: Db;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly accounts: AccountsClient;
	readonly limits: MessagingLimits;
	/** The first one takes new messages. */
	readonly operators: readonly [Operator, ...Operator[]];
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
}

/** The test seam. */
export interface ContextOverrides {
	readonly clock?: Clock;
	readonly random?: () => number;
}

/** Puts the parts together and begins the process's lease; the tables must exist. */
export async function createContext(
	settings: ContextSettings,
	overrides: ContextOverrides = {},
): Promise<MessagingContext> {
	const { sql, log, limits, operators } = settings;
	const telemetry = createTelemetry(settings.metrics);
	const poke: Pokes = {
		claim: () => {},
		dispatch: () => {},
		receipts: () => {},
		relay: () => {},
	};
	return {
		sql,
		log,
		telemetry,
		limits,
		poke,
		clock: overrides.clock ?? systemClock,
		random: overrides.random ?? Math.random,
		accounts: settings.accounts,
		route: operators[0].code,
		senders: createSenderMemory(sql),
		references: createReferenceCounter(),
		dispatchers: operators.map((operator) =>
			createDispatcher(operator, (error) =>
				log.error({ err: loggable(error) }, "an attempt was left to the lease"),
			),
		),
		lease: await createLease(sql, limits.leaseMs, log),
		settler: createSettler({
			sql,
			log,
			telemetry,
			signal: settings.signal,
			onFinished: (finished) => {
				for (const { status } of finished) telemetry.countOutcomes(status, 1);
				if (finished.length > 0) poke.relay();
			},
		}),
		receiptIntake: createReceiptIntake({
			sql,
			telemetry,
			onStored: () => poke.receipts(),
		}),
	};
}
