import type { Db } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";

/** Shortest time between two rings, ms: the one after a burst tells of all of it. */
const RING_EVERY_MS = 50;

/**
 * Wakes the processes that deliver, at most twenty times a second. The ring is a statement of its own:
 * inside the transaction that stores messages it would make commits wait for each other. A lost ring
 * does no harm, the loops look for work by themselves.
 */
export function createWorkBell(
	sql: Db,
	schema: string,
	log: Logger,
): () => void {
	const channel = channelOf(schema);
	let resting = false;
	let rungMeanwhile = false;

	function ring(): void {
		if (resting) {
			rungMeanwhile = true;
			return;
		}
		resting = true;
		rungMeanwhile = false;
		sql
			.notify(channel, "")
			.catch((error: unknown) =>
				log.warn({ err: error }, "work could not be announced"),
			);
		setTimeout(() => {
			resting = false;
			if (rungMeanwhile) ring();
		}, RING_EVERY_MS).unref();
	}

	return ring;
}

/** Calls back when another process stores messages; listens again when the connection was lost. */
export async function listenToWorkBell(
	sql: Db,
	schema: string,
	onRing: () => void,
): Promise<void> {
	await sql.listen(channelOf(schema), onRing, onRing);
}

/** Channels belong to the whole database. */
function channelOf(schema: string): string {
	return `${schema}_work`;
}
