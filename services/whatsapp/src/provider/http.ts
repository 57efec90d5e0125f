import type { Dispatcher } from "undici";

/** Reads a stream as UTF-8 up to `maxBytes`; throws and gives the stream up when there is more. */
export async function readLimited(
	stream: AsyncIterable<Uint8Array>,
	maxBytes: number,
): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += chunk.byteLength;
		if (size > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString("utf8");
}

export interface Endpoint {
	/** With the version. */
	readonly base: string;
	readonly dispatcher: Dispatcher;
	readonly timeoutMs: number;
}
