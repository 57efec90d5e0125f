import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyText, anyValue, RUNS } from "./arbitraries.ts";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey({ rateLimit: 1_000_000 }).apiKey;
});
afterAll(() => world.close());

/** A body that often has the right fields, with right and wrong values. */
function bodies(valid: Record<string, unknown>) {
	const fields = Object.entries(valid).map(
		([name, value]) =>
			[
				name,
				fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, anyValue),
			] as const,
	);
	const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
	const extra = fc.dictionary(anyText, anyValue, { maxKeys: 2 });
	return fc.oneof(
		{ weight: 5, arbitrary: known },
		{
			weight: 2,
			arbitrary: fc
				.tuple(known, extra)
				.map(([one, two]) => ({ ...two, ...one })),
		},
		anyValue,
	);
}

test.each([
	[
		"/sms/send",
		{
			to: "+33612345678",
			message: "hello",
			senderId: "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
			senderName: "ACME",
			clientReference: "ref",
			priority: "bulk",
		},
	],
	[
		"/whatsapp/messages",
		{
			type: "template",
			to: "+33612345678",
			phoneNumberId: "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d",
			template: {
				name: "order_shipped",
				language: "en_US",
				category: "utility",
				parameters: ["1042"],
			},
			text: { body: "hello" },
			clientReference: "ref",
		},
	],
	[
		"/contacts",
		{
			name: "Ada",
			phone: "+33612345678",
			email: "ada@example.com",
			tags: ["gold"],
		},
	],
	[
		"/campaigns",
		{
			name: "Spring",
			message_template: "Hello {{name}}",
			scheduled_at: "2030-01-01T00:00:00Z",
			sender_id: "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
		},
	],
	[
		"/campaigns",
		{
			name: "Spring",
			content: "Hello {{name}}",
			scheduledAt: "2030-01-01T00:00:00Z",
			senderName: "ACME",
			recipients: ["+33612345678"],
		},
	],
	["/sender-ids", { value: "ACME" }],
	["/opt-outs/import", { csv: "recipient,sender\n+33612345699,ACME" }],
	[
		"/api-keys",
		{
			name: "billing",
			scopes: ["sms:send"],
			expires_at: "2030-01-01T00:00:00Z",
		},
	],
	[
		"/webhooks",
		{
			url: "https://example.com/hook",
			subscribed_events: ["message.delivered", "message.failed"],
		},
	],
])("POST %s responds to any JSON without a 5xx", async (path, valid) => {
	await fc.assert(
		fc.asyncProperty(bodies(valid), async (body) => {
			const { status } = await call(world.baseUrl, path, {
				method: "POST",
				apiKey,
				body,
			});
			expect(status).toBeLessThan(500);
		}),
		RUNS,
	);
});

test("POST responds to any bytes without a 5xx", async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
			const response = await fetch(`${world.baseUrl}/sms/send`, {
				method: "POST",
				headers: { "x-api-key": apiKey, "content-type": "application/json" },
				body: bytes,
			});
			expect(response.status).toBe(400);
			await response.arrayBuffer();
		}),
		RUNS,
	);
});
