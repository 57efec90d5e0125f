import { connect, type Socket } from "node:net";

/** One keep-alive HTTP/1.1 connection with one request in flight: as little of the machine as a client can use. */
export interface HttpConnection {
	/** Sends a whole request; the callback gets the answer's status, or 0 when the connection was lost. */
	send(request: string, onStatus: (status: number) => void): void;
	close(): void;
}

const END_OF_HEAD = "\r\n\r\n";

/** Opens a connection; a lost one is opened again by the next request. */
export function openConnection(host: string, port: number): HttpConnection {
	let socket: Socket | undefined;
	let received = "";
	let waiting: ((status: number) => void) | undefined;

	function settle(status: number): void {
		const done = waiting;
		waiting = undefined;
		received = "";
		done?.(status);
	}

	function open(): Socket {
		const opened = connect({ host, port, noDelay: true });
		opened.setEncoding("latin1");
		opened.on("data", (chunk: string) => {
			received += chunk;
			const status = statusOfWhole(received);
			if (status !== undefined) settle(status);
		});
		opened.on("error", () => {});
		opened.on("close", () => {
			if (socket === opened) socket = undefined;
			settle(0);
		});
		return opened;
	}

	return {
		send(request, onStatus) {
			waiting = onStatus;
			socket ??= open();
			socket.write(request);
		},
		close: () => socket?.destroy(),
	};
}

/** Status of an answer that has arrived whole; undefined before. */
export function statusOfWhole(text: string): number | undefined {
	const headEnd = text.indexOf(END_OF_HEAD);
	if (headEnd < 0) return undefined;
	const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd));
	const bodyLength = Number(length?.[1] ?? 0);
	if (text.length < headEnd + END_OF_HEAD.length + bodyLength) return undefined;
	return Number(text.slice(9, 12));
}
