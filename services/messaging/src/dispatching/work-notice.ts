import type { Db } from "@airtower/platform/database/database";
import { listen } from "@airtower/platform/database/listen";
import type { Logger } from "@airtower/platform/runtime/log";

/** Shortest time between two notices, ms. */
const NOTIFY_EVERY_MS = 50;

/**
 * Returns what wakes the processes that deliver. The notice is a statement of its own: inside the transaction that
 * stores messages it would make commits wait for each other.
 */
export function createWorkNotifier(
	sql: Db,
	schema: string,
	log: Logger,
): () => void {
	const channel = toChannel(schema);
	let isWaiting = false;
	let isDue = false;

	function notify(): void {
		isDue = isWaiting;
		if (isWaiting) return;
		isWaiting = true;
		sql
			.notify(channel, "")
			.catch((error: unknown) =>
				log.warn({ err: error }, "work could not be announced"),
			);
		setTimeout(() => {
			isWaiting = false;
			if (isDue) notify();
		}, NOTIFY_EVERY_MS).unref();
	}

	return notify;
}

/** Returns what ends it. */
export function listenForWork(
	sql: Db,
	schema: string,
	onWork: () => void,
): Promise<() => Promise<void>> {
	return listen(sql, toChannel(schema), onWork, onWork);
}

function toChannel(schema: string): string {
	return `${schema}_work`;
}
