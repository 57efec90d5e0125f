import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { untilHealthy } from "./until-healthy.ts";

const NEVER = new AbortController().signal;

/** A gateway that gives these responses in turn, the last one for ever. */
async function serve(responses: readonly object[]) {
	let asked = 0;
	const server = createServer((_request, response) => {
		const body = responses[Math.min(asked++, responses.length - 1)];
		response.end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { baseUrl: `http://127.0.0.1:${port}`, asked: () => asked };
}

const services = { accounts: "ok" };
const ok = { status: "ok", accepting: true, services };
const unavailable = {
	status: "unavailable",
	accepting: false,
	services: { accounts: "ok", messaging: "unreachable", webhooks: "ok" },
};

test("the banner waits until every service is ok", async () => {
	const degraded = {
		status: "degraded",
		accepting: true,
		services: { webhooks: "unreachable" },
	};
	const gateway = await serve([unavailable, degraded, ok]);
	await untilHealthy(gateway.baseUrl, NEVER);
	expect(gateway.asked()).toBe(3);
});

test("the banner does not wait for messages that are late", async () => {
	const { baseUrl } = await serve([{ ...ok, status: "degraded" }]);
	await untilHealthy(baseUrl, NEVER, 0);
});

test("what is not ok in time is named", async () => {
	const { baseUrl } = await serve([unavailable]);
	await expect(untilHealthy(baseUrl, NEVER, 0)).rejects.toThrow(
		"Airtower accepts no messages: messaging is unreachable.",
	);
	await expect(untilHealthy("http://127.0.0.1:1", NEVER, 0)).rejects.toThrow(
		"the gateway does not respond",
	);
});

test("Ctrl-C ends the wait", async () => {
	const { baseUrl } = await serve([unavailable]);
	const stop = new AbortController();
	const waited = untilHealthy(baseUrl, stop.signal);
	stop.abort();
	await waited;
});
