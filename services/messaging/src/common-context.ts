import type { Db } from "@airtower/platform/database/database";
import { type Clock, systemClock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { UnknownTimes } from "./store/dispatch/orphan-dispatch.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

export interface Limits {
	/** Longest time a message may wait to be taken by an operator, ms. */
	readonly validityMs: number;
	/** Time that a receipt gets to resolve a message sent without a response, ms. */
	readonly unknownWaitMs: number;
	readonly unknownPolicy: "resend_once" | "hold";
	/** Until an unknown message that does not go again fails, ms; null: the end of its validity. */
	readonly unknownDeadlineMs: number | null;
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
	readonly clock: Clock;
	readonly limits: Limits;
}

export interface CommonSettings
	extends Pick<CommonContext, "sql" | "log" | "limits"> {
	readonly metrics: Metrics;
	readonly clock?: Clock | undefined;
}

export function createCommonContext(settings: CommonSettings): CommonContext {
	const { sql, log, limits, metrics, clock = systemClock } = settings;
	return { sql, log, limits, clock, telemetry: createTelemetry(metrics) };
}

/** Of a message that has been sent once. */
export function unknownTimes(limits: Limits): UnknownTimes {
	const { unknownPolicy, unknownWaitMs, unknownDeadlineMs } = limits;
	const waitMs = unknownPolicy === "resend_once" ? unknownWaitMs : null;
	return { waitMs, deadlineMs: unknownDeadlineMs };
}
