import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

type Choice =
	| "the same session as the last"
	| "the sessions in turn"
	| "its own session";

const READY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);
const TERMINATE = "X".charCodeAt(0);

/** A pooler in transaction mode: who connects adds the session it has opened to a pool that all use. */
export async function startSwitchingPooler(
	serverPort: number,
	choice: Choice,
): Promise<{ port: number }> {
	const pool: Socket[] = [];
	const sockets = new Set<Socket>();
	let turn = 0;
	const pick = (own: Socket): Socket => {
		if (choice === "its own session") return own;
		const nth = choice === "the sessions in turn" ? turn++ % pool.length : 0;
		return pool[nth] ?? own;
	};
	const server = createServer((client) => {
		const own = connect(serverPort, "127.0.0.1");
		for (const socket of [client, own])
			sockets.add(socket.on("error", () => undefined));
		let session: Socket | undefined = own;
		let isOpened = false;
		const toClient = (chunk: Buffer) => {
			client.write(chunk);
			if (!endsTransaction(chunk)) return;
			if (!isOpened) pool.push(own);
			isOpened = true;
			session?.off("data", toClient);
			session = undefined;
		};
		own.on("data", toClient);
		client.on("data", (chunk: Buffer) => {
			if (chunk[0] === TERMINATE && isOpened) return;
			if (session === undefined) {
				session = pick(own);
				session.on("data", toClient);
			}
			session.write(chunk);
		});
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return { port: (server.address() as AddressInfo).port };
}

/** The last frame of what came says that the session is ready and in no transaction. */
function endsTransaction(chunk: Buffer): boolean {
	const frame = chunk.subarray(-6);
	return frame[0] === READY && frame[5] === IDLE;
}
