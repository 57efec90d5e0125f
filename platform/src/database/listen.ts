import { type Db, dedicatedConnection, silenceTimeoutOf } from "./database.ts";

/** Nobody's work: whoever listens hears it. */
const PROBE = "probe";
/** Looks in the time after which a silent connection is cut. */
const LOOKS = 3;

/**
 * Listens on a channel of the database until the function that it returns is called, on a connection of its own.
 * Where nothing was heard for a while the pool notifies the channel, so that a connection stays silent only when it
 * hears nothing: one to a server of before a failover, or to a standby that refused to listen. It is cut and made anew.
 * @param onListening also after each lost connection: what was notified meanwhile was not heard
 */
export async function listen(
	sql: Db,
	channel: string,
	onNotification: (payload: string) => void,
	onListening: () => void,
): Promise<() => Promise<void>> {
	const silenceTimeoutMs = silenceTimeoutOf(sql);
	const connection = dedicatedConnection(sql, silenceTimeoutMs);
	let hasHeard = false;
	await connection.listen(
		channel,
		(payload) => {
			hasHeard = true;
			if (payload !== PROBE) onNotification(payload);
		},
		onListening,
	);
	const probing =
		silenceTimeoutMs > 0
			? setInterval(() => {
					if (!hasHeard) sql.notify(channel, PROBE).catch(() => undefined);
					hasHeard = false;
				}, silenceTimeoutMs / LOOKS).unref()
			: undefined;
	return () => {
		clearInterval(probing);
		return connection.end({ timeout: 1 });
	};
}
