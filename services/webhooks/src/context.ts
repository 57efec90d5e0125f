import type { Db } from "@airtower/platform/database/database";
import {
	type AddressGuard,
	createAddressGuard,
} from "@airtower/platform/egress/address-guard";
import type { Resolve } from "@airtower/platform/egress/resolver";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { Lease } from "@airtower/platform/work/lease";
import type { UrlRules } from "./domain/endpoint-url.ts";
import { EndpointQueues } from "./sending/endpoint-queues.ts";
import { createPoster, type Poster } from "./sending/poster.ts";
import { createSender, createSettler, type Sender } from "./sending/sender.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export interface Context {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
	readonly ring: KeyRing;
	readonly urlRules: UrlRules;
	readonly guard: AddressGuard;
	readonly poster: Poster;
	readonly queues: EndpointQueues;
	readonly lease: Lease;
	readonly sender: Sender;
	/** How long events are kept with their history. */
	readonly eventDays: number;
	/** How long texts in events are kept, unless their organization has its own time. */
	readonly textDays: number;
	/** How far the events that are older were looked at. */
	readonly oldEvents: { after: Date | null };
}

interface ContextSettings {
	readonly sql: Db;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly lease: Lease;
	readonly ring: KeyRing;
	readonly urlRules: UrlRules;
	/** URL of an HTTP proxy that all callbacks go through. */
	readonly egressProxy: string | undefined;
	readonly maxInFlight: number;
	readonly maxPerEndpoint: number;
	readonly eventDays: number;
	readonly textDays: number;
	readonly wakeSender: () => void;
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
}

export interface ContextOverrides {
	readonly clock?: Clock;
	readonly random?: () => number;
	readonly resolve?: Resolve;
	readonly ca?: string;
	readonly attemptTimeoutMs?: number;
}

export function createContext(
	settings: ContextSettings,
	overrides: ContextOverrides = {},
): Context {
	const { sql, log, lease, ring, urlRules, signal } = settings;
	const telemetry = createTelemetry(settings.metrics);
	const guard = createAddressGuard({
		rules: urlRules,
		resolve: overrides.resolve,
	});
	const queues = new EndpointQueues(settings);
	const sending = {
		sql,
		log,
		lease,
		ring,
		telemetry,
		queues,
		clock: overrides.clock ?? systemClock,
		random: overrides.random ?? Math.random,
		poster: createPoster({
			guard,
			blockedPorts: urlRules.blockedPorts,
			egressProxy: settings.egressProxy,
			ca: overrides.ca,
			timeoutMs: overrides.attemptTimeoutMs,
		}),
		settler: createSettler({ sql, log, telemetry, queues, signal }),
	};
	return {
		...sending,
		guard,
		urlRules,
		sender: createSender(sending),
		eventDays: settings.eventDays,
		textDays: settings.textDays,
		oldEvents: { after: null },
	};
}
