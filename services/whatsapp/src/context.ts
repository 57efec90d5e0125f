import type { Db } from "@airtower/platform/database/database";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { KeyRing } from "@airtower/platform/runtime/key-ring";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { Lease } from "@airtower/platform/work/lease";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import type { Settler } from "@airtower/platform/work/settling";
import type { SettledAttempt } from "./dispatching/attempt.ts";
import { createDispatcher, type Dispatcher } from "./dispatching/dispatcher.ts";
import { createSettler } from "./dispatching/settler.ts";
import type { Provider } from "./provider/provider.ts";
import { insertCallbacks } from "./store/callbacks.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

/** What every handler and job works with. */
export interface Context {
	readonly sql: Db;
	readonly log: Logger;
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
	readonly telemetry: Telemetry;
	/** Seals access tokens. */
	readonly ring: KeyRing;
	readonly provider: Provider;
	readonly appSecret: string;
	readonly verifyToken: string;
	readonly limits: Limits;
	readonly dispatcher: Dispatcher;
	readonly settler: Settler<SettledAttempt>;
	/** Stores callbacks, many in one commit. */
	readonly intake: Batcher<Uint8Array, void>;
	/** Wakes the loops; the service sets them once they run. */
	readonly wake: Wakers;
	/** Aborted when the service stops. */
	readonly signal: AbortSignal;
}

export interface Wakers {
	dispatch: () => void;
	callbacks: () => void;
	templates: () => void;
	relay: () => void;
}

export interface Limits {
	/** How long an accepted message may wait to be taken, ms. */
	readonly validityMs: number;
	/** How long a message without an answer waits for a word of the provider, ms. */
	readonly unknownWaitMs: number;
	/** Messages per second of one number, over all processes. */
	readonly ratePerSecond: number;
	/** Attempts in flight in this process. */
	readonly maxInFlight: number;
}

export interface ContextSettings {
	readonly sql: Db;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly ring: KeyRing;
	readonly lease: Lease;
	readonly provider: Provider;
	readonly appSecret: string;
	readonly verifyToken: string;
	readonly limits: Limits;
	readonly signal: AbortSignal;
}

/** The test seam. */
export interface ContextOverrides {
	readonly clock?: Clock;
	readonly random?: () => number;
	readonly limits?: Partial<Limits>;
}

const INTAKE_BATCH = 100;
const INTAKE_IN_FLIGHT = 2;

/** Puts the parts together; opens nothing and starts nothing. */
export function createContext(
	settings: ContextSettings,
	overrides: ContextOverrides = {},
): Context {
	const { sql, log, signal, metrics, lease, ...rest } = settings;
	const telemetry = createTelemetry(metrics);
	const limits = { ...settings.limits, ...overrides.limits };
	const wake: Wakers = {
		dispatch: () => {},
		callbacks: () => {},
		templates: () => {},
		relay: () => {},
	};
	return {
		...rest,
		...{ sql, log, signal, telemetry, limits, wake },
		clock: overrides.clock ?? systemClock,
		random: overrides.random ?? Math.random,
		dispatcher: createDispatcher(lease),
		settler: createSettler({
			...{ sql, log, telemetry, signal },
			unknownWaitMs: limits.unknownWaitMs,
			onFinished: () => wake.relay(),
		}),
		intake: createBatcher<Uint8Array, void>({
			maxItems: INTAKE_BATCH,
			maxInFlight: INTAKE_IN_FLIGHT,
			flush: async (bodies) => {
				await insertCallbacks(sql, bodies);
				return bodies.map(() => undefined);
			},
		}),
	};
}
