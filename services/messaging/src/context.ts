import type { Db } from "@airtower/platform/database/database";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { Client } from "@connectrpc/connect";
import {
	createReferenceCounter,
	type ReferenceCounter,
} from "./accepting/concat-references.ts";
import {
	createSenderMemory,
	type SenderMemory,
} from "./accepting/sender-memory.ts";
import type { Operator } from "./operators/operator.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

/** How long things may take, and what happens when an operator gives no answer. */
export interface Limits {
	/** Longest time a message may wait to be taken by an operator, ms. */
	readonly validityMs: number;
	/** Time that a receipt gets to resolve a message sent without an answer, ms. */
	readonly unknownWaitMs: number;
	readonly unknownPolicy: "resend_once" | "hold";
	/** How long the work of a process that shows no sign of life stays its own, ms. */
	readonly leaseMs: number;
}

/** The accounts service, as far as it is needed here. */
export type AccountsClient = Pick<
	Client<typeof AccountsService>,
	"reserveQuota" | "releaseQuota"
>;

/** What accepting and delivering have in common. */
export interface CommonContext {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly clock: Clock;
	readonly limits: Limits;
}

/** A route as it is called, and the account at its operator. */
export type RouteName = Pick<Operator, "code" | "account">;

/** What every handler works with. */
export interface Context extends CommonContext {
	readonly accounts: AccountsClient;
	/** Code of the route that new messages take. */
	readonly route: string;
	/** The routes that are set up. */
	readonly routes: readonly RouteName[];
	readonly senders: SenderMemory;
	readonly references: ReferenceCounter;
	/** Tells whoever delivers that messages were stored. */
	readonly announceWork: () => void;
}

export interface CommonSettings {
	readonly sql: Db;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly limits: Limits;
	/** The test seam. */
	readonly clock?: Clock | undefined;
}

export function createCommonContext(settings: CommonSettings): CommonContext {
	const { sql, log, limits, metrics, clock = systemClock } = settings;
	return { sql, log, limits, clock, telemetry: createTelemetry(metrics) };
}

export type ContextParts = Pick<
	Context,
	"accounts" | "route" | "routes" | "announceWork"
>;

export function createContext(
	common: CommonContext,
	parts: ContextParts,
): Context {
	return {
		...common,
		...parts,
		senders: createSenderMemory(common.sql),
		references: createReferenceCounter(),
	};
}
