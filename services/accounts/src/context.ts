import type { Db } from "@airtower/platform/database/database";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { Client } from "@connectrpc/connect";
import {
	type AnnouncedCutoffs,
	createAnnouncedCutoffs,
} from "./announced-cutoffs.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export interface Context {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly clock: Clock;
	readonly peppers: KeyRing;
	/** Seals stored responses that contain a secret. */
	readonly encryptionKeys: KeyRing;
	/** When each key was last used, until it is written: a request never waits for that. */
	readonly keyUsage: Map<string, Date>;
	readonly cutoffs: AnnouncedCutoffs;
	readonly messaging: Pick<
		Client<typeof MessagingService>,
		"listMissingMessages" | "listStoredMessages"
	>;
	readonly reconcileAfterMs: number;
	/** How long each ledger entry is kept; older usage is kept by day. */
	readonly ledgerMonths: number;
	readonly wakeRelay: () => void;
}

export function createContext({
	metrics,
	...parts
}: Omit<Context, "telemetry" | "clock" | "keyUsage" | "cutoffs"> & {
	readonly metrics: Metrics;
}): Context {
	return {
		...parts,
		telemetry: createTelemetry(metrics),
		clock: systemClock,
		keyUsage: new Map(),
		cutoffs: createAnnouncedCutoffs(),
	};
}
