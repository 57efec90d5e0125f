import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSocket, textOf } from "./raw.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const LONGER_THAN_IDLE_CONNECTIONS_STAY_MS = 5_500;
const sms = JSON.stringify({ to: "+33612345678", message: "hello" });

describe("stopping", () => {
	test("running and kept-alive requests are responded to; then the port is closed", async () => {
		const other = await world.startGateway();
		const url = new URL(`http://127.0.0.1:${other.port}/api/v1/sms/send`);
		const statuses: number[] = [];
		const failures: unknown[] = [];
		let closed = 0;
		const workers = Array.from({ length: 20 }, () => work());

		async function work(): Promise<void> {
			const { Agent } = await import("node:http");
			const agent = new Agent({ keepAlive: true, maxSockets: 1 });
			for (;;) {
				const result = await sendOnce(agent).catch((error: unknown) => error);
				if (typeof result !== "object" || result === null) return;
				if (!("status" in result)) {
					if (!String(result).includes("ECONNREFUSED")) failures.push(result);
					return;
				}
				statuses.push(Number(result.status));
				if ("close" in result && result.close === true) {
					closed++;
					return;
				}
			}
		}

		function sendOnce(
			agent: NonNullable<Parameters<typeof httpRequest>[1]>["agent"],
		) {
			return new Promise<object>((resolve, reject) => {
				const request = httpRequest(url, {
					method: "POST",
					agent,
					headers: {
						"x-api-key": apiKey,
						"content-type": "application/json",
					},
				});
				request.on("error", reject).on("response", (response) => {
					response.resume().on("end", () =>
						resolve({
							status: response.statusCode,
							close: response.headers.connection === "close",
						}),
					);
				});
				request.end(sms);
			});
		}

		await eventually(() => expect(statuses.length).toBeGreaterThan(200));
		const started = performance.now();
		await other.close();
		await Promise.all(workers);
		expect(performance.now() - started).toBeLessThan(30_000);
		expect(failures).toEqual([]);
		expect(closed).toBe(20);
		expect(new Set(statuses)).toEqual(new Set([202]));
		await expect(fetch(url)).rejects.toThrow();
	});

	test("an idle connection is cut no sooner than the response before has promised", async () => {
		const other = await world.startGateway();
		const socket = openSocket(`http://127.0.0.1:${other.port}`);
		const text = textOf(socket);
		socket.write("GET /api/v1/health HTTP/1.1\r\nhost: a\r\n\r\n");
		await once(socket, "data");
		const respondedAt = performance.now();
		await other.close();
		const [, promised] = /^keep-alive: timeout=(\d+)/im.exec(await text) ?? [];
		expect(performance.now() - respondedAt).toBeGreaterThan(
			Number(promised) * 1_000,
		);
	});

	test("a request that runs when the stop begins is told to close its connection, however late its response comes", async () => {
		const other = await world.startGateway();
		const gate = Promise.withResolvers<void>();
		world.messaging.gate = gate.promise;
		const calls = world.messaging.batchSizes.length;
		const response = fetch(`http://127.0.0.1:${other.port}/api/v1/sms/send`, {
			method: "POST",
			headers: { "x-api-key": apiKey, "content-type": "application/json" },
			body: sms,
		});
		await eventually(() =>
			expect(world.messaging.batchSizes.length).toBeGreaterThan(calls),
		);
		const closed = other.close();
		await delay(LONGER_THAN_IDLE_CONNECTIONS_STAY_MS);
		gate.resolve();
		const { status, headers } = await response;
		expect(status).toBe(202);
		expect(headers.get("connection")).toBe("close");
		await closed;
	});
});
