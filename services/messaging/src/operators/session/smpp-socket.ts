import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { SmppRoute } from "../route/smpp-route.ts";

type SmppAddress = Pick<
	SmppRoute,
	"host" | "port" | "isSecure" | "ca" | "cert" | "key"
>;

/** Connects to an operator; rejects with the reason: too long, a bad certificate, aborted. */
export async function openSocket(
	address: SmppAddress,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<Socket> {
	const { isSecure, host, port } = address;
	const socket = isSecure ? await secure(address) : connect({ host, port });
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		await once(socket, isSecure ? "secureConnect" : "connect", {
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

/** The files are read anew each time. Certificate and host name are checked before anything is sent. */
async function secure(address: SmppAddress): Promise<Socket> {
	const { host, port, ca, cert, key } = address;
	return connectTls({
		host,
		port,
		...(isIP(host) === 0 && { servername: host }),
		...(ca !== "" && { ca: await readFile(ca) }),
		...(cert !== "" && { cert: await readFile(cert) }),
		...(key !== "" && { key: await readFile(key) }),
	});
}
