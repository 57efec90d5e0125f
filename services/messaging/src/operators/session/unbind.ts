import { drain } from "./drain.ts";
import type { SmppConnection } from "./smpp-connection.ts";

interface UnbindTimes {
	/** Longest wait for the responses to earlier requests, ms. */
	readonly drainMs: number;
	/** Longest wait for the response to the unbind, ms. */
	readonly unbindTimeoutMs: number;
}

/** Waits for the responses that are on their way, and unbinds. */
export async function unbind(
	connection: SmppConnection,
	{ drainMs, unbindTimeoutMs }: UnbindTimes,
): Promise<void> {
	await drain(() => connection.outstanding > 0, drainMs);
	await new Promise<void>((resolve) => {
		setTimeout(resolve, unbindTimeoutMs).unref();
		connection.request("unbind", {}, () => resolve());
	});
	connection.end("stopped");
}
