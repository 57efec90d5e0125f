import { type ClientHttp2Session, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { Http2SessionManager } from "@connectrpc/connect-node";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

/** Each test fails without its hunk of the patch. */

const PING_INTERVAL_MS = 1_000;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
});

/** A manager with an open session. */
async function openSession() {
	const server = createServer();
	server.on("stream", (stream) => stream.on("error", () => undefined));
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const manager = new Http2SessionManager(`http://127.0.0.1:${port}`, {
		pingIntervalMs: PING_INTERVAL_MS,
		pingIdleConnection: true,
	});
	onTestFinished(() => manager.abort());
	const stream = await manager.request("POST", "/", {}, {});
	stream.on("error", () => undefined);
	return { manager, session: stream.session as ClientHttp2Session };
}

test("the late error of a session that was replaced does not end the process", async () => {
	const onUncaught = vi.fn();
	process.on("uncaughtExceptionMonitor", onUncaught);
	onTestFinished(
		() => void process.off("uncaughtExceptionMonitor", onUncaught),
	);
	const { manager, session } = await openSession();
	session.destroy(new Error("silent"));
	const next = manager.connect();
	await new Promise((resolve) => session.once("close", resolve));
	await next;
	await turn();
	expect(onUncaught).not.toHaveBeenCalled();
});

test("a ping that is due on a session that was destroyed does not throw", async () => {
	const { session } = await openSession();
	session.on("error", () => undefined);
	session.destroy();
	expect(() => vi.advanceTimersByTime(PING_INTERVAL_MS)).not.toThrow();
});
