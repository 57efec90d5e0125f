import { createLogger } from "@airtower/platform/runtime/log";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

const lines: string[] = [];
let world: World;

beforeAll(async () => {
	world = await startWorld({
		log: createLogger({
			service: "gateway",
			level: "info",
			destination: { write: (line) => lines.push(line) },
		}),
	});
});
afterAll(() => world.close());

test("each request is one line with its id, organization, route, status and time; no key and no body", async () => {
	const { apiKey, organizationId } = world.accounts.addKey();
	const { headers } = await call(world.baseUrl, "/sms/send?x=secret-query", {
		method: "POST",
		apiKey,
		body: { to: "+33612345678", message: "secret-text" },
	});
	await eventually(() => expect(lines.join("")).toContain('"status":400'));
	const line = lines.find((line) => line.includes('"status":400')) ?? "{}";
	expect(JSON.parse(line)).toMatchObject({
		level: "info",
		service: "gateway",
		requestId: headers.get("x-request-id"),
		organizationId,
		route: "/api/v1/sms/send",
		method: "POST",
		status: 400,
		ms: expect.any(Number),
	});
	for (const secret of [apiKey, "secret-text", "secret-query", "33612345678"])
		expect(lines.join("")).not.toContain(secret);
});

test("a request whose client hangs up before the response is logged as 499", async () => {
	const { apiKey, organizationId } = world.accounts.addKey();
	const gate = Promise.withResolvers<void>();
	world.messaging.gate = gate.promise;
	const calls = world.messaging.batchSizes.length;
	const hangUp = new AbortController();
	const sent = call(world.baseUrl, "/sms/send", {
		method: "POST",
		apiKey,
		headers: { "x-request-id": "impatient" },
		body: { to: "+33612345678", message: "hello" },
		signal: hangUp.signal,
	});
	const given = expect(sent).rejects.toThrow("aborted");
	await eventually(() =>
		expect(world.messaging.batchSizes.length).toBe(calls + 1),
	);
	hangUp.abort();
	await given;
	await eventually(() => expect(lines.join("")).toContain("impatient"));
	gate.resolve();
	await call(world.baseUrl, "/sms/send", { method: "POST", apiKey });
	const own = lines.filter((line) => line.includes("impatient"));
	expect(own.map((line) => JSON.parse(line))).toMatchObject([
		{ organizationId, route: "/api/v1/sms/send", method: "POST", status: 499 },
	]);
});

test("an unknown path is logged without the path", async () => {
	await call(world.baseUrl, "/at_live_oops");
	await eventually(() => expect(lines.join("")).toContain('"status":404'));
	expect(lines.join("")).not.toContain("oops");
});
