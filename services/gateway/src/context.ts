import type { Db } from "@airtower/platform/database/database";
import {
	type Allowances,
	createAllowances,
} from "@airtower/platform/runtime/allowances";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import manifest from "../package.json" with { type: "json" };
import type { Clients } from "./clients.ts";
import type { Config } from "./config.ts";
import { type HealthBoard, unknownHealth } from "./health-board.ts";
import {
	authenticateKeys,
	createKeyVerifier,
	type KeyVerifier,
} from "./keys/key-verifier.ts";
import {
	type CallbackLimiter,
	createCallbackLimiter,
} from "./limiting/callback-limiter.ts";
import {
	createFailureLimiter,
	type FailureLimiter,
} from "./limiting/failure-limiter.ts";
import {
	createRateLimiter,
	type RateLimiter,
} from "./limiting/rate-limiter.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import {
	createSmsQueue,
	createWhatsAppQueue,
	type SmsQueue,
	type WhatsAppQueue,
} from "./sending/send-queue.ts";
import { createWindowStore } from "./store/rate-windows.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export interface Context {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	/** The wall clock. */
	readonly nowMs: () => number;
	/** Runs evenly whatever is done to the wall clock: all durations are measured by it. */
	readonly monotonicMs: () => number;
	readonly version: string;
	readonly startedAtMs: number;
	readonly clients: Clients;
	readonly keys: KeyVerifier;
	readonly limiter: RateLimiter;
	readonly failures: FailureLimiter;
	/** Bytes of request bodies that an organization's requests may take to be parsed. */
	readonly bodies: Allowances;
	/** Bytes of large public documents, by address. */
	readonly documents: Allowances;
	readonly callbacks: CallbackLimiter;
	readonly sms: SmsQueue;
	readonly whatsapp: WhatsAppQueue;
	readonly requestLog: RequestLog;
	readonly cursorKeys: KeyRing;
	readonly health: HealthBoard;
	/** Proxies whose X-Forwarded-For is believed; undefined for none. */
	readonly trustedProxies: readonly string[] | undefined;
	/** Connections of any other address. */
	readonly connectionsPerAddress: number;
	/** True once the gateway is to stop: every response then closes its connection. */
	isDraining: boolean;
}

interface ContextParts
	extends Pick<Context, "sql" | "log" | "clients" | "nowMs" | "monotonicMs"> {
	readonly metrics: Metrics;
}

/** Forged callbacks of one address and minute, after which it may have few under way. */
const FORGERIES = 60;

/**
 * Of one organization at once, and each second after that: a thousand SMS a second take a third of it, and a body of
 * 64 kB takes milliseconds of the event loop that all share.
 */
const BODY_BURST_BYTES = 16 * 1_048_576;
const BODY_BYTES_PER_S = 1_048_576;
/**
 * Nearly forty times the OpenAPI document uncompressed: a thousand that nobody reads take seconds to be given to the
 * kernel.
 */
const DOCUMENT_BURST_BYTES = 16 * 1_048_576;
const DOCUMENT_BYTES_PER_S = 4 * 1_048_576;

/** Puts the parts together; opens nothing and starts nothing. */
export function createContext(
	config: Pick<
		Config,
		| "CURSOR_KEYS"
		| "TRUST_PROXY"
		| "CONNECTIONS_PER_ADDRESS"
		| "FAILED_AUTH_LIMIT"
	>,
	{ metrics, ...parts }: ContextParts,
): Context {
	const { sql, log, clients, nowMs, monotonicMs } = parts;
	const telemetry = createTelemetry(metrics);
	return {
		...parts,
		telemetry,
		version: manifest.version,
		startedAtMs: monotonicMs(),
		keys: createKeyVerifier({
			authenticate: authenticateKeys(clients),
			nowMs,
			monotonicMs,
			onRefreshError: (err) =>
				log.warn({ err }, "an API key could not be verified again"),
		}),
		limiter: createRateLimiter({
			store: createWindowStore(sql),
			nowMs,
			monotonicMs,
			log,
			telemetry,
		}),
		failures: createFailureLimiter(config.FAILED_AUTH_LIMIT, monotonicMs),
		bodies: createAllowances({
			burst: BODY_BURST_BYTES,
			perSecond: BODY_BYTES_PER_S,
			now: monotonicMs,
		}),
		documents: createAllowances({
			burst: DOCUMENT_BURST_BYTES,
			perSecond: DOCUMENT_BYTES_PER_S,
			now: monotonicMs,
		}),
		callbacks: createCallbackLimiter(
			createFailureLimiter(FORGERIES, monotonicMs),
		),
		sms: createSmsQueue(clients, telemetry),
		whatsapp: createWhatsAppQueue(clients, telemetry),
		requestLog: createRequestLog(telemetry),
		cursorKeys: config.CURSOR_KEYS,
		health: unknownHealth(),
		trustedProxies: config.TRUST_PROXY,
		connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS,
		isDraining: false,
	};
}
