import { connect, type SecureClientSessionOptions } from "node:http2";

/** Whether the process behind an address answers a ping, on a new connection: a kernel takes those of one that is frozen. */
export function answersPing(
	url: URL,
	options: SecureClientSessionOptions,
	timeoutMs: number,
): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const connection = connect(url, options);
	const timer = setTimeout(() => connection.destroy(), timeoutMs).unref();
	connection.unref();
	connection.once("connect", () => {
		connection.ping((error) => {
			resolve(error === null);
			connection.destroy();
		});
	});
	connection.on("error", () => undefined);
	connection.once("close", () => {
		clearTimeout(timer);
		resolve(false);
	});
	return promise;
}
