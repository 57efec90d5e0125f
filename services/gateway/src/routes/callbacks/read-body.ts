import type { Readable } from "node:stream";
import { RefusalError } from "../../errors.ts";

interface BodyLimits {
	readonly maxBytes: number;
	readonly timeoutMs: number;
	/** Takes room for bytes that came in; throws when there is none. */
	takeRoom(bytes: number): void;
	/** Told when the body was late or cut off. */
	onUnfinished(): void;
}

/** Reads a body to its end. What follows a refusal is left to the server, which throws it away. */
export function readBody(body: Readable, limits: BodyLimits): Promise<Buffer> {
	const { maxBytes, timeoutMs, takeRoom, onUnfinished } = limits;
	const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
	const chunks: Buffer[] = [];
	let bytes = 0;

	const leave = (code: "request_timeout" | "bad_request") => () => {
		onUnfinished();
		reject(new RefusalError({ code }));
	};
	const onData = (chunk: Buffer) => {
		try {
			bytes += chunk.length;
			if (bytes > maxBytes) throw new RefusalError({ code: "body_too_large" });
			takeRoom(chunk.length);
			chunks.push(chunk);
		} catch (error) {
			reject(error);
		}
	};
	const onEnd = () => resolve(Buffer.concat(chunks));
	const onCut = leave("bad_request");
	const timer = setTimeout(leave("request_timeout"), timeoutMs);
	body.on("data", onData).on("end", onEnd).on("error", onCut);
	return promise.finally(() => {
		clearTimeout(timer);
		body.off("data", onData).off("end", onEnd).off("error", onCut);
		body.resume();
	});
}
