import { type Db, transaction } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import { BACKGROUND_LINGER_MS } from "@airtower/platform/runtime/loop";
import { createSettling, type Settler } from "@airtower/platform/work/settling";
import { announceDisabled } from "../queue-events.ts";
import type { Target } from "../store/delivery-queue.ts";
import {
	type DisabledEndpoint,
	type EndpointTally,
	recordTallies,
} from "../store/endpoint-failures.ts";
import {
	deliveryId,
	type Settlement,
	settleDeliveries,
} from "../store/settlements.ts";
import type { Telemetry } from "../telemetry.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";

export interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly queues: EndpointQueues;
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
}

const MAX_BATCH = 500;

/** Records attempts for as long as the database is away: one that is not recorded would be posted again. */
export function createSettler(options: SettlerOptions): Settler<Settlement> {
	const { sql, log, signal, queues } = options;
	return createSettling({
		maxBatch: MAX_BATCH,
		lingerMs: BACKGROUND_LINGER_MS,
		log,
		signal,
		withoutResponse: (attempt) => ({ ...attempt, httpStatus: null }),
		settle: async (attempts) => {
			const settled = await settle(sql, attempts);
			report(options, attempts, settled);
			queues.announce(settled.targets);
		},
	});
}

interface Settled {
	readonly ids: ReadonlySet<string>;
	readonly disabled: readonly DisabledEndpoint[];
	readonly targets: readonly Target[];
}

function settle(sql: Db, attempts: readonly Settlement[]): Promise<Settled> {
	return transaction(sql, async (sql) => {
		const ids = await settleDeliveries(sql, attempts);
		const ours = attempts.filter((attempt) => ids.has(deliveryId(attempt)));
		const disabled = await recordTallies(sql, toTallies(ours));
		return { ids, disabled, targets: await announceDisabled(sql, disabled) };
	});
}

/** In the order of their ids, so that two processes lock endpoints in the same order. */
function toTallies(attempts: readonly Settlement[]): EndpointTally[] {
	const theirs = attempts.filter(({ isOwnFailure }) => !isOwnFailure);
	const byEndpoint = Map.groupBy(theirs, ({ endpointId }) => endpointId);
	return [...byEndpoint]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([endpointId, ended]) => {
			const failed = ended.filter(({ state }) => state !== "delivered").length;
			const goneUrl = ended.find(({ error }) => error === "gone")?.url ?? null;
			return { endpointId, succeeded: ended.length - failed, failed, goneUrl };
		});
}

const toError = ({ error }: Settlement) => error;

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
	const own = attempts.filter(({ isOwnFailure }) => isOwnFailure);
	for (const [error, { length: deliveries }] of Map.groupBy(own, toError))
		log.error(
			{ error, deliveries },
			"callbacks wait: the egress proxy or a key fails",
		);
	for (const { id: endpointId, reason } of disabled) {
		telemetry.disabled.inc({ reason });
		log.warn({ endpointId, reason }, "endpoint disabled");
	}
}
