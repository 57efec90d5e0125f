import {
	type Db,
	dedicatedConnection,
} from "@airtower/platform/database/database";
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

/** On a connection of its own: one that nothing comes over would be cut for its silence. Returns what ends it. */
export async function listenForWork(
	sql: Db,
	schema: string,
	onWork: () => void,
): Promise<() => Promise<void>> {
	const connection = dedicatedConnection(sql);
	await connection.listen(toChannel(schema), onWork, onWork);
	return () => connection.end({ timeout: 1 });
}

function toChannel(schema: string): string {
	return `${schema}_work`;
}
