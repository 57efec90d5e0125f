import type { Db } from "@airtower/platform/database/database";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { Lease } from "@airtower/platform/work/lease";
import type { Batcher, Settler } from "@airtower/platform/work/micro-batcher";
import type { Worker } from "@airtower/platform/work/worker";
import type { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import { createSenderMemory, type SenderMemory } from "./accepting/senders.ts";
import type { SettledAttempt } from "./dispatching/attempt-rows.ts";
import type { RouteWatch } from "./dispatching/route-watch.ts";
import type { Claims, DueLists } from "./dispatching/shared-statements.ts";
import type { UnknownLimits } from "./domain/attempt-outcome.ts";
import type { InboundPart } from "./domain/inbound/inbound-part.ts";
import type { Receipt } from "./domain/receipts/receipt.ts";
import type { Operator } from "./operators/operator.ts";
import { createRouteTraffic, type RouteTraffic } from "./route-traffic.ts";
import type { Routing } from "./routes/routing.ts";
import type { ClaimedMessage } from "./store/dispatch/dispatch-claims.ts";
import type { FinishedMessage } from "./store/message-updates.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export type AccountsClient = Pick<
	Client<typeof AccountsService>,
	"reserveQuota" | "previewQuota" | "releaseQuota"
>;

/** Pairs of a sender and a recipient whose last concatenation reference is remembered. */
const MAX_REFERENCES = 20_000;

export interface Context extends CommonContext {
	readonly accounts: AccountsClient;
	readonly routes: Routing;
	/** Seals the settings of routes; undefined where routes are not data. */
	readonly ring: KeyRing | undefined;
	readonly senders: SenderMemory;
	/** The last concatenation reference of each sender and recipient. */
	readonly references: LRUCache<string, number>;
	readonly announceWork: () => void;
	/** An added receipt resolves once what it says is durable. */
	readonly receiptIntake: Batcher<Receipt, void>;
	/** An added part of a text resolves once it is durable. */
	readonly inboundIntake: Batcher<InboundPart, void>;
}

type ContextParts = Pick<
	Context,
	| "accounts"
	| "routes"
	| "ring"
	| "announceWork"
	| "receiptIntake"
	| "inboundIntake"
>;

export function createContext(
	common: CommonContext,
	parts: ContextParts,
): Context {
	return {
		...common,
		...parts,
		senders: createSenderMemory(common.sql),
		references: new LRUCache({ max: MAX_REFERENCES }),
	};
}

export interface Limits extends UnknownLimits {
	/** Longest time a message may wait to be taken by an operator, ms. */
	readonly validityMs: number;
	/** From the end of its validity until a message without a receipt fails, ms. */
	readonly noReceiptMs: number;
	readonly leaseMs: number;
	/** How long texts are kept after the outcome, unless their organization says otherwise. */
	readonly bodyDays: number;
	/** How long messages and parts are kept. */
	readonly recordMonths: number;
}

export interface CommonContext {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly traffic: RouteTraffic;
	readonly clock: Clock;
	readonly limits: Limits;
}

interface CommonSettings extends Pick<CommonContext, "sql" | "log" | "limits"> {
	readonly metrics: Metrics;
	readonly clock?: Clock | undefined;
}

export function createCommonContext(settings: CommonSettings): CommonContext {
	const { sql, log, limits, metrics, clock = systemClock } = settings;
	const telemetry = createTelemetry(metrics);
	return { sql, log, limits, clock, telemetry, traffic: createRouteTraffic() };
}

/** What an attempt to send a message works with. */
export interface AttemptContext extends CommonContext {
	readonly routes: Routing;
	readonly random: () => number;
	readonly lease: Lease;
	readonly dueLists: DueLists;
	readonly claims: Claims;
	readonly settler: Settler<SettledAttempt>;
}

/** The part of one process's work that goes to one operator. */
export interface Dispatcher extends Worker<ClaimedMessage> {
	readonly operator: Operator;
	readonly watch: RouteWatch;
	/** The operator responded to a submit after so many ms. */
	responded(ms: number): void;
}

export interface DeliveryContext extends AttemptContext {
	/** Of the routes that run; changed in place. */
	readonly dispatchers: Dispatcher[];
	/** Lets all routes look for due messages. */
	readonly wakeDispatch: () => void;
	/** An added receipt resolves once what it says is durable. */
	readonly receiptIntake: Batcher<Receipt, void>;
	/** An added part of a text resolves once it is durable. */
	readonly inboundIntake: Batcher<InboundPart, void>;
	/** To be told of texts that were stored, once that is committed. */
	readonly onReceived: () => void;
	/** To be told of messages that have ended, once that is committed. */
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}
