import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connects to an operator; rejects with the reason, also when it takes too long or is aborted. */
export async function openSocket(
	address: { readonly host: string; readonly port: number },
	timeoutMs: number,
	signal: AbortSignal,
): Promise<Socket> {
	const socket = connect(address);
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		await once(socket, "connect", {
			signal: AbortSignal.any([signal, timeout]),
		});
		return socket;
	} catch (error) {
		socket.on("error", () => {}).destroy();
		if (signal.aborted) throw new Error("stopped");
		throw timeout.aborted
			? new Error(`no connection within ${timeoutMs} ms`)
			: error;
	}
}
