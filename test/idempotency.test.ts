import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "./support/api.ts";
import { openLedgers } from "./support/invariants.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

let system: SharedSystem;
let ledgers: ReturnType<typeof openLedgers>;

beforeAll(async () => {
	system = await sharedSystem();
	ledgers = openLedgers(system);
});

afterAll(() => ledgers.close());

const message = { to: "+33612349999", message: "Your code is 123456" };

test("100 parallel identical sends with one key: one message, one debit, equal bytes, 99 replays", async () => {
	const organization = await createOrganization(adminClients(system), 1_000);
	const client = apiClient(system.baseUrl, organization.apiKey, 100);
	const responses = await Promise.all(
		Array.from({ length: 100 }, () =>
			client.post("/sms/send", message, { "idempotency-key": "invoice-1" }),
		),
	);
	expect(new Set(responses.map((response) => response.status))).toEqual(
		new Set([202]),
	);
	expect(new Set(responses.map((response) => response.text)).size).toBe(1);
	const replayed = responses.filter(
		(response) => response.headers["idempotent-replayed"] === "true",
	);
	expect(replayed).toHaveLength(99);
	const requestIds = new Set(
		responses.map((response) => response.headers["x-request-id"]),
	);
	expect(requestIds.size).toBe(100);
	expect(await ledgers.accounting(organization.id)).toEqual({
		balance: 999,
		ledger: 999,
		messages: 1,
	});
	const other = await client.post(
		"/sms/send",
		{ ...message, message: "Your code is 654321" },
		{ "idempotency-key": "invoice-1" },
	);
	expect(other.status).toBe(409);
	expect(other.body).toMatchObject({
		error: { code: "idempotency_key_reused" },
	});
	await client.close();
});

test("one key on every path is a request of its own on each, which is replayed there", async () => {
	const organization = await createOrganization(adminClients(system), 10);
	const client = apiClient(system.baseUrl, organization.apiKey);
	const posts: [path: string, body: object][] = [
		["/sms/send", message],
		["/sender-ids", { value: "Another" }],
		["/contacts", { name: "Ada", phone: "+33612345678" }],
		[
			"/campaigns",
			{ name: "Sale", content: "Hi", recipients: ["+33612349999"] },
		],
		["/api-keys", { name: "billing" }],
		[
			"/webhooks",
			{
				url: "https://example.com/hook",
				subscribed_events: ["message.failed"],
			},
		],
	];
	const ask = async () => {
		const seen = [];
		for (const [path, body] of posts) {
			const headers = { "idempotency-key": "one-key" };
			const {
				status,
				text,
				headers: got,
			} = await client.post(path, body, headers);
			seen.push({ path, status, text, replay: got["idempotent-replayed"] });
		}
		return seen;
	};
	const first = await ask();
	for (const { path, status, replay, text } of first) {
		expect(status, `${path} ${text}`).toBeLessThan(300);
		expect(replay, path).toBeUndefined();
	}
	expect(await ask()).toEqual(first.map((one) => ({ ...one, replay: "true" })));
	await client.close();
});

test("the same key of two organizations are two requests", async () => {
	const admin = adminClients(system);
	const ids = await Promise.all(
		[1, 2].map(async () => {
			const organization = await createOrganization(admin, 10);
			const client = apiClient(system.baseUrl, organization.apiKey);
			const response = await client.post("/sms/send", message, {
				"idempotency-key": "shared",
			});
			await client.close();
			expect(response.status).toBe(202);
			return (response.body.provider as { messageId: string }).messageId;
		}),
	);
	expect(new Set(ids).size).toBe(2);
});
