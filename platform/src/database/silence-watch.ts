import { connect, type Socket } from "node:net";

/** What the driver tells about the server, one entry for each host of the URL. */
interface Target {
	readonly host: readonly string[];
	readonly port: readonly number[];
	/** A Unix-domain socket, or false. */
	readonly path: string | false;
}

/** Looks at a connection within the time that it may be silent. */
const LOOKS = 5;

/**
 * Dials the connections of a pool and cuts those that bring nothing for `timeoutMs`: their host is gone without a
 * word, which TCP notices after a quarter of an hour. It must be longer than the server lets a statement or transaction
 * run, and than connections rest before the pool closes them. The others of the pool that have been silent since the
 * last look go with it: they lead to the same host.
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
