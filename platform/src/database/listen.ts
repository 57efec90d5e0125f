import { type Db, dedicatedConnection } from "./database.ts";

/**
 * Listens on a channel of the database until the function that it returns is called. On a connection of its own: one
 * that nothing comes over would be cut for its silence.
 * @param onListening also after each lost connection: what was notified meanwhile was not heard
 */
export async function listen(
	sql: Db,
	channel: string,
	onNotification: (payload: string) => void,
	onListening: () => void,
): Promise<() => Promise<void>> {
	const connection = dedicatedConnection(sql);
	await connection.listen(channel, onNotification, onListening);
	return () => connection.end({ timeout: 1 });
}
