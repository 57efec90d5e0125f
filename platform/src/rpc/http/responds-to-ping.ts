import { connect, type SecureClientSessionOptions } from "node:http2";

/** Whether a process responds to a ping on a new connection: the kernel takes connections for a frozen one too. */
export function respondsToPing(
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
