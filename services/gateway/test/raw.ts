import { connect } from "node:net";

/** Sends bytes as they are and answers everything that comes back until the connection ends. */
export function exchange(
	baseUrl: string,
	chunks: readonly string[],
): Promise<string> {
	const { hostname, port } = new URL(baseUrl);
	return new Promise((resolve, reject) => {
		const socket = connect(Number(port), hostname);
		let text = "";
		socket.setEncoding("utf8");
		socket.on("data", (chunk: string) => {
			text += chunk;
		});
		socket.on("error", (error) =>
			text === "" ? reject(error) : resolve(text),
		);
		socket.on("close", () => resolve(text));
		for (const chunk of chunks) socket.write(chunk);
	});
}

/** Status codes of the answers in a stream of bytes, in order. */
export function statusesOf(text: string): number[] {
	return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) =>
		Number(match[1]),
	);
}
