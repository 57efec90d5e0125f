import { readFileSync } from "node:fs";
import { type DemoData, ensureDemoData } from "@airtower/dev/start/demo-data";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../../services/gateway/src/openapi/document.ts";
import { call } from "../../services/gateway/test/call.ts";
import { startTestSystem, type TestSystem } from "../support/test-system.ts";

const document: OpenApiDocument = JSON.parse(
	readFileSync(
		new URL("../../services/gateway/openapi.json", import.meta.url),
		"utf8",
	),
);

let running: TestSystem;
let demo: DemoData;

beforeAll(async () => {
	running = await startTestSystem();
	demo = await ensureDemoData(running.system);
});
afterAll(() => running.dispose());

/** The example of an operation's body in the reference. */
function exampleOf(method: string, path: string): Record<string, unknown> {
	const operation = document.paths[path]?.[method];
	const { example } = operation?.requestBody?.content["application/json"] ?? {};
	return Object(example);
}

function send(method: string, path: string, body: Record<string, unknown>) {
	const { apiKey } = demo;
	return call(running.system.baseUrl, path, { method, apiKey, body });
}

const creating = Object.entries(document.paths).flatMap(([path, methods]) =>
	methods.post?.requestBody === undefined || path.includes("{") ? [] : [path],
);

test("the reference has an example for each POST that needs no id in its path", () => {
	expect(creating.toSorted()).toEqual([
		"/api-keys",
		"/campaigns",
		"/campaigns/preview",
		"/contacts",
		"/opt-outs",
		"/opt-outs/import",
		"/sender-ids",
		"/sms/preview",
		"/sms/send",
		"/webhooks",
		"/whatsapp/messages",
	]);
});

test.each(creating)(
	"POST %s takes the example of the reference on a system that was just started",
	async (path) => {
		const { status, text } = await send("POST", path, exampleOf("post", path));
		expect([200, 201, 202], text).toContain(status);
	},
);

test("PUT /quiet-hours takes the example of the reference", async () => {
	const path = "/quiet-hours";
	const { status, text } = await send("PUT", path, exampleOf("put", path));
	expect(status, text).toBe(200);
});

test("PATCH and POST of a webhook endpoint take the examples of the reference", async () => {
	const { body } = await send(
		"POST",
		"/webhooks",
		exampleOf("post", "/webhooks"),
	);
	const { id } = Object(body.webhookEndpoint);
	const path = "/webhooks/{webhookEndpointId}";
	const changed = await send(
		"PATCH",
		`/webhooks/${id}`,
		exampleOf("patch", path),
	);
	expect(changed.status, changed.text).toBe(200);
	const rotated = await send(
		"POST",
		`/webhooks/${id}/rotate-secret`,
		exampleOf("post", `${path}/rotate-secret`),
	);
	expect(rotated.status, rotated.text).toBe(200);
});
