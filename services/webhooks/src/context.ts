import type { Db } from "@airtower/platform/database/database";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { KeyRing } from "@airtower/platform/runtime/key-ring";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { Batcher } from "@airtower/platform/work/micro-batcher";
import type { UrlRules } from "./domain/endpoint-url.ts";
import {
	type AddressGuard,
	createAddressGuard,
} from "./sending/address-guard.ts";
import { createLanes, type Lanes } from "./sending/lanes.ts";
import { createPoster, type Poster } from "./sending/poster.ts";
import {
	createDnsResolver,
	type Resolve,
	systemResolver,
} from "./sending/resolver.ts";
import { createSettler } from "./sending/settler.ts";
import type { Settlement } from "./store/deliveries.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

/** What the handlers, jobs and consumers of this service work with. */
export interface WebhooksContext {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
	/** Seals signing secrets and stored answers. */
	readonly ring: KeyRing;
	readonly urlRules: UrlRules;
	readonly guard: AddressGuard;
	readonly poster: Poster;
	readonly lanes: Lanes;
	readonly settler: Batcher<Settlement, void>;
	/** Attempts under way, with their settling. */
	readonly flights: Set<Promise<void>>;
	/** When the sender last claimed and last looked for due work, on the monotonic clock, ms. */
	readonly look: { at: number; tookMs: number };
	/** How long a claimed delivery is ours, ms. */
	readonly leaseMs: number;
	/** Wakes the sender; the service sets it once the loop runs. */
	wakeSender: () => void;
}

export interface ContextSettings {
	readonly sql: Db;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly ring: KeyRing;
	readonly urlRules: UrlRules;
	readonly maxInFlight: number;
	readonly maxPerEndpoint: number;
}

/** The test seam. */
export interface ContextOverrides {
	readonly clock?: Clock;
	readonly random?: () => number;
	readonly resolve?: Resolve;
	/** Certificate authorities to trust in place of the built-in ones, PEM. */
	readonly ca?: string;
	readonly attemptTimeoutMs?: number;
	readonly leaseMs?: number;
}

/**
 * Longer than an attempt with its settling, so that only a process that died or was stopped loses a
 * lease; short, because a crash delays its deliveries by as much, ms.
 */
const LEASE_MS = 15_000;

/** Puts the parts together; opens nothing and starts nothing. */
export function createContext(
	settings: ContextSettings,
	overrides: ContextOverrides = {},
): WebhooksContext {
	const { sql, log, urlRules } = settings;
	const telemetry = createTelemetry(settings.metrics);
	const guard = createAddressGuard({
		resolve: overrides.resolve ?? defaultResolver(urlRules),
		allowPrivateAddresses: urlRules.allowPrivateAddresses,
	});
	return {
		sql,
		log,
		telemetry,
		guard,
		urlRules,
		ring: settings.ring,
		clock: overrides.clock ?? systemClock,
		random: overrides.random ?? Math.random,
		poster: createPoster({
			guard,
			ca: overrides.ca,
			timeoutMs: overrides.attemptTimeoutMs,
		}),
		lanes: createLanes(settings),
		settler: createSettler({ sql, log, telemetry }),
		flights: new Set(),
		look: { at: -Infinity, tookMs: 0 },
		leaseMs: overrides.leaseMs ?? LEASE_MS,
		wakeSender: () => {},
	};
}

function defaultResolver(rules: UrlRules): Resolve {
	return rules.allowPrivateAddresses ? systemResolver : createDnsResolver();
}
