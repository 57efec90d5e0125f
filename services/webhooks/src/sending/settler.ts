import { setTimeout as delay } from "node:timers/promises";
import { type Db, transaction } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import { BACKGROUND_LINGER_MS } from "@airtower/platform/runtime/loop";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import {
	type EndpointTally,
	recordTallies,
} from "../store/endpoint-failures.ts";
import {
	deliveryId,
	type Settlement,
	settleDeliveries,
} from "../store/settlements.ts";
import type { Telemetry } from "../telemetry.ts";

export interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
}

const MAX_BATCH = 500;
const MAX_IN_FLIGHT = 2;
/** Waits before a settle is tried again, ms: together shorter than a lease has left. */
const RETRY_WAITS_MS = [100, 500, 2_000];

/** Settles ended attempts in batches; after that, nobody will send them again. */
export function createSettler(
	options: SettlerOptions,
): Batcher<Settlement, void> {
	return createBatcher({
		maxItems: MAX_BATCH,
		maxInFlight: MAX_IN_FLIGHT,
		lingerMs: BACKGROUND_LINGER_MS,
		flush: async (attempts) => {
			const settled = await withRetries(() => settle(options.sql, attempts));
			report(options, attempts, settled);
			return attempts.map(() => undefined);
		},
	});
}

interface Settled {
	readonly ids: ReadonlySet<string>;
	readonly disabled: readonly string[];
}

function settle(sql: Db, attempts: Settlement[]): Promise<Settled> {
	return transaction(sql, async (sql) => {
		const ids = await settleDeliveries(sql, attempts);
		const ours = attempts.filter((attempt) => ids.has(deliveryId(attempt)));
		return { ids, disabled: await recordTallies(sql, toTallies(ours)) };
	});
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
	for (const waitMs of RETRY_WAITS_MS) {
		try {
			return await work();
		} catch {
			await delay(waitMs);
		}
	}
	return work();
}

/** In the order of their ids, so that two processes lock endpoints in the same order. */
function toTallies(attempts: readonly Settlement[]): EndpointTally[] {
	const tallies = new Map<string, EndpointTally>();
	for (const { endpointId, state, error } of attempts) {
		const tally = tallies.get(endpointId) ?? {
			endpointId,
			succeeded: 0,
			failed: 0,
			gone: false,
		};
		if (state === "delivered") tally.succeeded++;
		else tally.failed++;
		tally.gone ||= error === "gone";
		tallies.set(endpointId, tally);
	}
	return [...tallies.values()].sort((one, other) =>
		one.endpointId < other.endpointId ? -1 : 1,
	);
}

function report(
	{ log, telemetry }: SettlerOptions,
	attempts: readonly Settlement[],
	{ ids, disabled }: Settled,
): void {
	for (const attempt of attempts) {
		const { eventId, endpointId, error, httpStatus } = attempt;
		if (!ids.has(deliveryId(attempt))) {
			telemetry.fenced.inc();
			log.warn({ eventId, endpointId }, "attempt outlived its lease");
		} else if (attempt.state === "dead") {
			telemetry.dead.inc();
			log.warn({ eventId, endpointId, error, httpStatus }, "delivery given up");
		}
	}
	for (const endpointId of disabled) {
		telemetry.disabled.inc({ reason: "gone" });
		log.warn({ endpointId, reason: "gone" }, "endpoint disabled");
	}
}
