import { connect, type Socket } from "node:net";

interface Target {
	readonly host: readonly string[];
	readonly port: readonly number[];
	/** A Unix-domain socket, or false. */
	readonly path: string | false;
}

const LOOKS = 5;

/**
 * Dials the connections of a pool and cuts those that bring nothing for `timeoutMs`, with all that were silent meanwhile:
 * their host is gone. Longer than any statement, transaction or rest of a connection may take.
 */
export function createSilenceWatch(
	timeoutMs: number,
): (target: Target) => Socket {
	const silentLooks = new Map<Socket, number>();
	let dialled = 0;

	function cut(): void {
		for (const [socket, looks] of silentLooks) if (looks > 0) socket.destroy();
	}

	/** Looks are counted, not time: a process that was stopped has not waited. */
	function watch(socket: Socket): void {
		let seen = 0;
		silentLooks.set(socket, 0);
		const timer = setInterval(() => {
			if (socket.destroyed) {
				clearInterval(timer);
				silentLooks.delete(socket);
				return;
			}
			const looks =
				socket.bytesRead > seen ? 0 : (silentLooks.get(socket) ?? 0) + 1;
			seen = socket.bytesRead;
			silentLooks.set(socket, looks);
			if (looks > LOOKS) cut();
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
