import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { runOpenLoop } from "./sms-load.ts";

const bodies: string[] = [];
let delayMs = 0;
let status = 202;
const server = createServer((request, response) => {
	request.setEncoding("utf8").on("data", (text) => bodies.push(text));
	setTimeout(() => response.writeHead(status).end("{}"), delayMs);
});

afterEach(() => {
	delayMs = 0;
	status = 202;
	server.closeAllConnections();
	server.close();
	bodies.length = 0;
});

async function load(ratePerSecond: number, connections: number) {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return runOpenLoop({
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey: "k",
		run: "r",
		ratePerSecond,
		seconds: 0.5,
		connections,
	});
}

it("sends every request once, with bodies of which no two are alike", async () => {
	expect(await load(400, 8)).toHaveLength(200);
	expect(new Set(bodies).size).toBe(200);
});

it("counts the wait for a free connection as latency of a slow server", async () => {
	delayMs = 50;
	expect(Math.max(...(await load(100, 1)))).toBeGreaterThan(1_000);
});

it("sends the first request at once: what comes seldom does not wait for its own interval", async () => {
	const latencies = await load(2, 1);
	expect(latencies).toHaveLength(1);
	expect(Math.max(...latencies)).toBeLessThan(250);
});

it("measures nothing when a message is not accepted", async () => {
	status = 429;
	await expect(load(10, 1)).rejects.toThrow("5 messages 5 were not accepted");
});
