import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { statusOfWhole } from "./http-connection.ts";
import { runOpenLoop } from "./open-loop.ts";

const bodies: string[] = [];
let answerAfterMs = 0;
const server = createServer((request, response) => {
	request.setEncoding("utf8").on("data", (text) => bodies.push(text));
	setTimeout(() => {
		response.writeHead(202, { "content-type": "application/json" });
		response.end('{"success":true}');
	}, answerAfterMs);
});

afterEach(() => {
	answerAfterMs = 0;
	server.closeAllConnections();
	server.close();
	bodies.length = 0;
});

async function load(ratePerSecond: number, connections: number) {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}/api/v1/sms/send`;
	return runOpenLoop({
		url,
		apiKey: "k",
		ratePerSecond,
		seconds: 0.5,
		connections,
		run: "r",
	});
}

it("sends every request once, with bodies of which no two are alike", async () => {
	const result = await load(400, 8);
	expect(result).toMatchObject({ sent: 200, accepted: 200, refused: {} });
	expect(new Set(bodies).size).toBe(200);
});

it("counts the wait for a free connection as latency of a slow server", async () => {
	answerAfterMs = 50;
	const { latenciesMs } = await load(100, 1);
	expect(Math.max(...latenciesMs)).toBeGreaterThan(1_000);
});

it("sends the first request at once: what comes seldom does not wait for its own interval", async () => {
	const { latenciesMs } = await load(2, 1);
	expect(latenciesMs).toHaveLength(1);
	expect(Math.max(...latenciesMs)).toBeLessThan(250);
});

it("takes an answer as whole only with its last byte", () => {
	const head = "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n";
	expect(statusOfWhole(head.slice(0, -1))).toBeUndefined();
	expect(statusOfWhole(`${head}{`)).toBeUndefined();
	expect(statusOfWhole(`${head}{}`)).toBe(202);
});
