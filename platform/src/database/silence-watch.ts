import { connect, type Socket } from "node:net";

interface Target {
	readonly host: readonly string[];
	readonly port: readonly number[];
	readonly path: string | false;
}

const LOOKS = 5;

/**
 * Opens the connections of a pool. Once nothing arrives on one of them for `timeoutMs` its host is gone, or lets no
 * commit end: all are closed. One that still reads there leads to the same server, whose place another may have taken.
 */
export function createSilenceWatch(
	timeoutMs: number,
): (target: Target) => Socket {
	const silentLooks = new Map<Socket, number>();
	let dialled = 0;

	/** It counts looks, not time: a process that stood still for a minute has not waited for a minute. */
	function watch(socket: Socket): void {
		let seen = 0;
		silentLooks.set(socket, 0);
		const timer = setInterval(() => {
			const looks = (silentLooks.get(socket) ?? 0) + 1;
			silentLooks.set(socket, socket.bytesRead > seen ? 0 : looks);
			seen = socket.bytesRead;
			if (socket.destroyed) {
				clearInterval(timer);
				silentLooks.delete(socket);
			} else if (silentLooks.get(socket) === LOOKS + 1) {
				for (const other of silentLooks.keys()) other.destroy();
			}
		}, timeoutMs / LOOKS).unref();
	}

	return ({ host, port, path }) => {
		const nth = dialled++ % host.length;
		const address = { host: host[nth] ?? "", port: port[nth] ?? 0 };
		const socket = connect(path === false ? address : { path });
		watch(socket);
		// The driver reads the name for TLS off the socket.
		return Object.assign(socket, address);
	};
}
