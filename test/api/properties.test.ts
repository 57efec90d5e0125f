import { uuidv7 } from "@airtower/platform/runtime/ids";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { call } from "../../services/gateway/test/call.ts";
import { type ApiWorld, sharedApiWorld } from "./api-world.ts";
import { freshPhone } from "./bodies.ts";

const RUNS = { numRuns: 60, seed: 20_261_121 };

let world: ApiWorld;
let apiKey: string;
let senderId: string;
let phoneNumberId: string;

beforeAll(async () => {
	world = await sharedApiWorld();
	const organization = await world.organization();
	({ apiKey, senderId } = organization);
	phoneNumberId = await world.silentWhatsappNumber(organization.id);
});

/** Values at the edges of what the gateway lets pass to a service. */
const anyValue = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 250 }),
	fc.constantFrom(
		" ",
		"\t",
		"\u200b",
		"{{name}}",
		"{{name|}}",
		"{{",
		"}}",
		"+",
		"00",
		"+33612345678",
		"0612345678",
		"a@b",
		"A, B,,a ",
		"http://[::1]:99999/",
		"https://user:x@example.com/",
		"https://xn--/",
		"0000-01-01T00:00:00Z",
		"9999-12-31T23:59:59-14:00",
		"\u{1F600}".repeat(800),
	),
	fc.array(fc.string({ unit: "grapheme", maxLength: 70 }), { maxLength: 60 }),
	fc.jsonValue(),
);

const valid = (): readonly (readonly [string, Record<string, unknown>])[] => [
	[
		"/sms/send",
		{
			to: "+33612345678",
			message: "hello",
			senderId,
			senderName: "Airtower",
			clientReference: "ref",
		},
	],
	[
		"/sms/preview",
		{
			to: "+33612345678",
			message: "hello",
			senderId,
			senderName: "Airtower",
			clientReference: "ref",
		},
	],
	[
		"/whatsapp/messages",
		{
			type: "template",
			to: "+33612345678",
			phoneNumberId,
			template: {
				name: "order_update",
				language: "en_US",
				category: "utility",
				parameters: ["Ada", "1042"],
			},
			clientReference: "ref",
		},
	],
	[
		"/whatsapp/messages",
		{
			type: "text",
			to: "+33612345678",
			phoneNumberId,
			text: { body: "hello" },
			clientReference: "ref",
		},
	],
	[
		"/contacts",
		{ name: "Ada", phone: freshPhone(), email: "a@b.org", tags: ["gold"] },
	],
	[
		"/campaigns",
		{
			name: "Spring",
			message_template: "Hello {{name}}",
			scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
			sender_id: senderId,
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
		},
	],
	[
		"/campaigns/preview",
		{
			name: "Spring",
			message_template: "Hello {{name}}",
			scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
			sender_id: senderId,
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
		},
	],
	[
		"/campaigns",
		{
			name: "Spring",
			content: "Hello {{name}}",
			scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
			senderName: "Airtower",
			recipients: ["+33612345678"],
		},
	],
	["/sender-ids", { value: "ACME" }],
	["/opt-outs", { recipient: freshPhone(), sender: "ACME" }],
	["/opt-outs/import", { csv: `recipient,sender\n${freshPhone()},ACME` }],
	[
		"/api-keys",
		{
			name: uuidv7(),
			scopes: ["sms:send"],
			expires_at: "2100-01-01T00:00:00Z",
		},
	],
	[
		"/webhooks",
		{
			url: "http://127.0.0.1:9/hook",
			subscribed_events: ["message.delivered"],
		},
	],
];

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
	"body %i of the API with one field of any value is handled without a 5xx",
	async (index) => {
		const [path, body] = valid()[index] ?? ["", {}];
		const field = fc.constantFrom(...Object.keys(body));
		await fc.assert(
			fc.asyncProperty(field, anyValue, async (field, value) => {
				const { status, text } = await call(world.baseUrl, path, {
					method: "POST",
					apiKey,
					body: { ...body, [field]: value },
				});
				expect(status, text).toBeLessThan(500);
			}),
			RUNS,
		);
	},
);

test("nested fields of a WhatsApp message of any value are handled without a 5xx", async () => {
	const template = fc.record({
		name: fc.oneof(fc.constant("order_update"), anyValue),
		language: fc.oneof(fc.constant("en_US"), anyValue),
		category: fc.constantFrom("utility", "authentication"),
		parameters: anyValue,
	});
	await fc.assert(
		fc.asyncProperty(template, async (template) => {
			const { status, text } = await call(world.baseUrl, "/whatsapp/messages", {
				method: "POST",
				apiKey,
				body: {
					type: "template",
					to: "+33612345678",
					phoneNumberId,
					template,
				},
			});
			expect(status, text).toBeLessThan(500);
		}),
		RUNS,
	);
});

const filterValue = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 64 }),
	fc.constantFrom(
		"999999999999999",
		"0000-01-01",
		"9999-12-31T23:59:59.999999999Z",
		"2026-01-01T00:00:00+14:00",
		"%",
		"_",
		"'",
	),
);

test.each([
	["GET", "/contacts", "tag"],
	["DELETE", "/contacts", "id"],
	["GET", "/whatsapp/messages", "template_name"],
	["GET", "/whatsapp/messages", "date_from"],
	["GET", "/whatsapp/templates", "name"],
	["GET", "/whatsapp/templates", "date_to"],
	["GET", "/whatsapp/conversations", "date_from"],
])("%s %s with any %s is handled without a 5xx", async (method, path, name) => {
	await fc.assert(
		fc.asyncProperty(filterValue, async (value) => {
			const query = `${name}=${encodeURIComponent(value.toWellFormed())}`;
			const { status, text } = await call(world.baseUrl, `${path}?${query}`, {
				method,
				apiKey,
			});
			expect(status, text).toBeLessThan(500);
		}),
		RUNS,
	);
});
