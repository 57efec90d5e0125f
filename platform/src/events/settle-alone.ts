import { transaction } from "../database/database.ts";
import { DomainError } from "../runtime/domain-error.ts";
import {
	type ConsumerOptions,
	countEvents,
	findFresh,
	tryApply,
} from "./apply-batch.ts";
import { insertDeadLetter } from "./dead-letters.ts";
import type { BusEvent } from "./event-bus.ts";

const MAX_TRIES_ALONE = 3;

/** A refusal is final; any other failure might be chance. */
export async function settleAlone(
	options: ConsumerOptions,
	events: BusEvent[],
	firstError: unknown,
): Promise<void> {
	let error = firstError;
	for (let tries = 1; tries < MAX_TRIES_ALONE; tries++) {
		if (error instanceof DomainError) break;
		const failure = await tryApply(options, events);
		if (failure === undefined) return;
		error = failure.error;
	}
	for (const event of events) await park(options, event, error);
}

async function park(
	options: ConsumerOptions,
	event: BusEvent,
	error: unknown,
): Promise<void> {
	const { sql, group, log, metrics } = options;
	const { id, topic } = event;
	await transaction(sql, async (sql) => {
		const fresh = await findFresh(sql, options, [event]);
		if (fresh.length > 0) await insertDeadLetter(sql, group, event, error);
	});
	log.error({ err: error, group, topic, eventId: id }, "event parked");
	countEvents(metrics, group, "parked", 1);
}
