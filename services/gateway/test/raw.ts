import { connect, type Socket } from "node:net";

/** Sends bytes as they are and returns everything that comes back until the connection ends. */
export function exchange(
	baseUrl: string,
	chunks: readonly string[],
): Promise<string> {
	const socket = openSocket(baseUrl);
	const text = textOf(socket);
	for (const chunk of chunks) socket.write(chunk);
	return text;
}

/** A connection to the gateway. */
export function openSocket(baseUrl: string): Socket {
	const { hostname, port } = new URL(baseUrl);
	return connect(Number(port), hostname);
}

/** Everything that comes on a connection until it ends. */
export function textOf(socket: Socket): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = "";
		socket.setEncoding("utf8");
		socket.on("data", (chunk: string) => {
			text += chunk;
		});
		socket.on("error", (error) =>
			text === "" ? reject(error) : resolve(text),
		);
		socket.on("close", () => resolve(text));
	});
}

/** Status codes of the responses in a stream of bytes, in order. */
export function statusesOf(text: string): number[] {
	return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) =>
		Number(match[1]),
	);
}
