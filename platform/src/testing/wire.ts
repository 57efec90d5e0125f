import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

interface Wire {
	readonly port: number;
	/** Makes the open connections swallow everything, as a dead host does. */
	muteOpenConnections(): void;
	/** Keeps back all that the connections carry, also those to come. */
	hold(): void;
	/** Keeps back what the target sends on the connections that are open. */
	holdResponses(): void;
	release(): void;
}

/** A TCP relay to a port of 127.0.0.1, which ends with the test. */
export async function startWire(target: number): Promise<Wire> {
	const pairs: (readonly [Socket, Socket])[] = [];
	let isStopped = false;
	const relay = createServer((near) => {
		const pair = [near, connect(target, "127.0.0.1")] as const;
		pairs.push(pair);
		for (const socket of pair) socket.on("error", () => undefined);
		if (!isStopped) join(pair);
	});
	await once(relay.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => {
		for (const socket of pairs.flat()) socket.destroy();
		relay.close();
	});
	return {
		port: (relay.address() as AddressInfo).port,
		muteOpenConnections() {
			for (const socket of pairs.flat()) socket.unpipe().resume();
		},
		hold() {
			isStopped = true;
			for (const socket of pairs.flat()) socket.unpipe();
		},
		holdResponses() {
			for (const [near, far] of pairs) far.unpipe(near);
		},
		release() {
			isStopped = false;
			pairs.forEach(join);
		},
	};
}

function join([near, far]: readonly [Socket, Socket]): void {
	for (const socket of [near, far]) socket.unpipe();
	near.pipe(far).pipe(near);
}
