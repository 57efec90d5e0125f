import { createLogger } from "@airtower/platform/log";
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

test("an unknown path is logged without the path", async () => {
	await call(world.baseUrl, "/at_live_oops");
	await eventually(() => expect(lines.join("")).toContain('"status":404'));
	expect(lines.join("")).not.toContain("oops");
});
