import type { Db } from "@airtower/platform/database/database";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { Lease } from "@airtower/platform/work/lease";
import {
	type Batcher,
	createBatcher,
	type Settler,
} from "@airtower/platform/work/micro-batcher";
import { createDispatcher, type Dispatcher } from "./dispatching/dispatcher.ts";
import { createSettler, type SettledAttempt } from "./dispatching/settler.ts";
import type { Provider } from "./provider/provider.ts";
import { insertCallbacks } from "./store/callbacks.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export interface Context {
	readonly sql: Db;
	readonly log: Logger;
	readonly clock: Clock;
	/** Returns a number in [0, 1). */
	readonly random: () => number;
	readonly telemetry: Telemetry;
	readonly ring: KeyRing;
	readonly provider: Provider;
	readonly appSecret: string;
	readonly verifyToken: string;
	readonly limits: Limits;
	readonly lease: Lease;
	readonly dispatcher: Dispatcher;
	readonly settler: Settler<SettledAttempt>;
	readonly callbackBatcher: Batcher<Uint8Array, void>;
	/** Says that an outcome was committed and waits to be published. */
	readonly wakeRelay: () => void;
}

/** Says to a loop that there is work. */
export interface Wakers {
	readonly dispatch: () => void;
	readonly callbacks: () => void;
	readonly templates: () => void;
}

export interface Limits {
	/** How long an accepted message may wait to be taken, ms. */
	readonly validityMs: number;
	/** How long a message without a response waits for a status from the provider, ms. */
	readonly unknownWaitMs: number;
	/** Messages per second of one number, over all processes. */
	readonly ratePerSecond: number;
	readonly maxInFlight: number;
	/** How long what users wrote is kept, unless an organization wants it shorter. */
	readonly bodyDays: number;
	/** How long messages are kept, and conversations after their last one. */
	readonly recordMonths: number;
}

type Made =
	| "clock"
	| "random"
	| "telemetry"
	| "dispatcher"
	| "settler"
	| "callbackBatcher";

interface ContextParts extends Omit<Context, Made> {
	readonly metrics: Metrics;
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
}

const CALLBACK_BATCH = 100;
const CALLBACK_BATCHES_IN_FLIGHT = 2;

/** Puts the parts together; opens nothing and starts nothing. */
export function createContext(parts: ContextParts): Context {
	const { metrics, signal, ...rest } = parts;
	const { sql, log, limits, wakeRelay } = rest;
	const telemetry = createTelemetry(metrics);
	const { unknownWaitMs } = limits;
	const sending = {
		...rest,
		clock: systemClock,
		random: Math.random,
		settler: createSettler({
			sql,
			log,
			telemetry,
			signal,
			unknownWaitMs,
			onFinished: wakeRelay,
		}),
	};
	return {
		...sending,
		telemetry,
		dispatcher: createDispatcher(sending),
		callbackBatcher: createBatcher<Uint8Array, void>({
			maxItems: CALLBACK_BATCH,
			maxInFlight: CALLBACK_BATCHES_IN_FLIGHT,
			flush: async (bodies) => {
				await insertCallbacks(sql, bodies);
				return bodies.map(() => undefined);
			},
		}),
	};
}
