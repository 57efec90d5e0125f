import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLoadClient } from "./client.ts";
import { measureSms, sendSms, smsRequest } from "./sms.ts";

const bodies: string[] = [];
let delayMs = 0;
let status = 202;
let api = { baseUrl: "", apiKey: "k" };
const server = createServer((request, response) => {
	request.setEncoding("utf8").on("data", (text) => bodies.push(text));
	setTimeout(() => response.writeHead(status).end("{}"), delayMs);
});

beforeEach(async () => {
	delayMs = 0;
	status = 202;
	bodies.length = 0;
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	api = { baseUrl: `http://127.0.0.1:${port}`, apiKey: "k" };
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

function toLoad(ratePerSecond: number, connections: number) {
	return { run: "r", ratePerSecond, seconds: 0.5, connections };
}

it("sends every request once, with bodies of which no two are alike", async () => {
	expect(await measureSms(api, toLoad(400, 8))).toHaveLength(200);
	expect(new Set(bodies).size).toBe(200);
});

it("counts the wait for a free connection as latency of a slow server", async () => {
	delayMs = 50;
	const latencies = await measureSms(api, toLoad(100, 1));
	expect(Math.max(...latencies)).toBeGreaterThan(1_000);
});

it("sends the first request at once: what comes seldom does not wait for its own interval", async () => {
	const load = { ...toLoad(1 / 60, 1), seconds: 60 };
	const latencies = await measureSms(api, load);
	expect(latencies).toHaveLength(1);
	expect(Math.max(...latencies)).toBeLessThan(30_000);
});

it("tells what was not accepted, and measures nothing then", async () => {
	status = 429;
	const { accepted, failures } = await sendSms(api, toLoad(10, 1));
	expect(accepted.size).toBe(0);
	expect(failures).toEqual(Array(5).fill("429 {}"));
	await expect(measureSms(api, toLoad(10, 1))).rejects.toThrow(
		"of 5 messages 5 were not accepted: 429 {}",
	);
});

it("closes an idle connection by itself, long before the server does", async () => {
	server.keepAliveTimeout = 600_000;
	const client = openLoadClient(1);
	await client.post(api, smsRequest("r", 0));
	const connections = () =>
		new Promise<number>((resolve) =>
			server.getConnections((_error, count) => resolve(count)),
		);
	expect(await connections()).toBe(1);
	await eventually(async () => expect(await connections()).toBe(0));
	await client.close();
});
