import { uuidv7 } from "@airtower/platform/runtime/ids";
import { Webhook } from "standardwebhooks";
import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "vitest";
import { type CallOptions, call } from "./call.ts";
import { hook } from "./rows.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;
let organizationId: string;
let otherKey: string;

beforeAll(async () => {
	world = await startWorld();
	otherKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());
beforeEach(() => {
	({ apiKey, organizationId } = world.accounts.addKey());
});

const send = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, { apiKey, ...options });

async function createdHook(): Promise<string> {
	const { body } = await send("/webhooks", { method: "POST", body: hook });
	return Object(body.webhookEndpoint).id;
}

test("requests side by side: each one's call carries the organization of its own key", async () => {
	const keys = [world.accounts.addKey(), world.accounts.addKey()];
	const before = world.webhooks.callers.length;
	await Promise.all(keys.map(({ apiKey }) => send("/webhooks", { apiKey })));
	const callers = world.webhooks.callers.slice(before);
	expect(new Set(callers.map(({ organization }) => organization))).toEqual(
		new Set(keys.map(({ organizationId }) => organizationId)),
	);
	expect(callers.map(({ issuer }) => issuer)).toEqual(["gateway", "gateway"]);
});

describe("PATCH /webhooks/{id}", () => {
	const patch = (id: string, body: unknown, options: CallOptions = {}) =>
		send(`/webhooks/${id}`, { method: "PATCH", body, ...options });

	test("changes the address or the events, and keeps the rest", async () => {
		const id = await createdHook();
		const url = "https://example.com/moved";
		const moved = await patch(id, { url });
		expect(moved.status).toBe(200);
		expect(moved.body.webhookEndpoint).toMatchObject({ ...hook, id, url });
		const subscribed_events = ["webhook.disabled"];
		const other = await patch(id, { subscribed_events });
		expect(other.body.webhookEndpoint).toMatchObject({
			id,
			url,
			subscribed_events,
		});
	});

	test("makes a disabled endpoint active again, which GET /account showed until then", async () => {
		const id = await createdHook();
		const disabledIn = async () => {
			const { status, body } = await send("/account");
			expect(status).toBe(200);
			return Object(body.account).disabled_webhooks;
		};
		expect(await disabledIn()).toEqual([]);
		world.webhooks.disable(organizationId, id);
		const disabled_at = expect.stringMatching(/Z$/);
		expect(await disabledIn()).toEqual([
			{ id, url: hook.url, disabled_reason: "gone", disabled_at },
		]);
		const { body } = await patch(id, { status: "active" });
		expect(body.webhookEndpoint).toMatchObject({
			id,
			status: "active",
			disabled_reason: null,
			disabled_at: null,
		});
		expect(await disabledIn()).toEqual([]);
	});

	test.each([
		[{}, "", "required"],
		[{ status: "disabled" }, "status", "invalid_value"],
		[{ url: "ftp://example.com" }, "url", "invalid_webhook_url"],
		[{ subscribed_events: [] }, "subscribed_events", "too_short"],
		[{ events: ["message.failed"] }, "events", "unknown_field"],
	])("%j is 400", async (body, field, code) => {
		const response = await patch(await createdHook(), body);
		expect(response.status).toBe(400);
		expect(response.body.error?.details).toContainEqual(
			expect.objectContaining({ field, code }),
		);
	});

	test("does not know another organization's", async () => {
		const id = await createdHook();
		for (const [unknown, key] of [
			[id, otherKey],
			[uuidv7(), apiKey],
			["x", apiKey],
		] as const) {
			const response = await patch(
				unknown,
				{ status: "active" },
				{ apiKey: key },
			);
			expect([response.status, response.body.error?.code]).toEqual([
				404,
				"unknown_webhook_endpoint",
			]);
		}
	});
});

test("GET /account is told without webhooks when that service does not respond", async () => {
	await world.stopService("webhooks");
	const { status, body } = await send("/account");
	await world.restartService("webhooks");
	expect(status).toBe(200);
	expect(body.account).toMatchObject({ disabled_webhooks: null });
});

describe("POST /webhooks and POST /webhooks/{id}/rotate-secret", () => {
	test("give the secret in the form that stock Standard Webhooks libraries take", async () => {
		const created = await send("/webhooks", { method: "POST", body: hook });
		const { id } = Object(created.body.webhookEndpoint);
		const rotated = await send(`/webhooks/${id}/rotate-secret`, {
			method: "POST",
		});
		expect([created.status, rotated.status]).toEqual([202, 200]);
		for (const { body } of [created, rotated]) {
			const signed = new Webhook(String(body.signingSecret), { format: "raw" });
			const at = new Date();
			const headers = {
				"webhook-id": "evt",
				"webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
				"webhook-signature": signed.sign("evt", at, "{}"),
			};
			const stock = new Webhook(String(body.standardWebhooksSecret));
			expect(stock.verify("{}", headers)).toEqual({});
		}
		expect(rotated.body.signingSecret).not.toBe(created.body.signingSecret);
		expect(rotated.body.previousSignsUntil).toMatch(/Z$/);
	});

	test("a repeated key replays the secret; with another endpoint it is 409", async () => {
		const [one, other] = [await createdHook(), await createdHook()];
		const headers = { "idempotency-key": "rotate-1" };
		const rotate = (id: string) =>
			send(`/webhooks/${id}/rotate-secret`, { method: "POST", headers });
		const first = await rotate(one);
		const second = await rotate(one);
		expect(second.text).toBe(first.text);
		expect(second.headers.get("idempotent-replayed")).toBe("true");
		const third = await rotate(other);
		expect([third.status, third.body.error?.code]).toEqual([
			409,
			"idempotency_key_reused",
		]);
	});

	test("a body may be announced and not sent", async () => {
		const response = await send(
			`/webhooks/${await createdHook()}/rotate-secret`,
			{ method: "POST", headers: { "content-type": "application/json" } },
		);
		expect(response.status).toBe(200);
	});
});

describe("deliveries", () => {
	test("are listed in words for their owner", async () => {
		const id = await createdHook();
		const event_id = world.webhooks.addDelivery(id, {
			status: "dead",
			attempts: 9,
			lastHttpStatus: 0,
			lastError: "secret_unreadable",
		});
		const { status, body } = await send(`/webhooks/${id}/deliveries`);
		expect(status).toBe(200);
		expect(body.webhookDeliveries).toEqual([
			{
				id: `${event_id}.${id}`,
				event_id,
				webhook_endpoint_id: id,
				type: "message.delivered",
				message_id: expect.any(String),
				status: "failed",
				attempts: 9,
				last_http_status: null,
				last_error: "not_sent",
				next_attempt_at: null,
				created_at: expect.stringMatching(/Z$/),
			},
		]);
	});

	test("are filtered by status and read by a cursor that fits this endpoint only", async () => {
		const [one, other] = [await createdHook(), await createdHook()];
		for (const id of [one, other])
			for (const status of ["delivered", "dead", "dead"])
				world.webhooks.addDelivery(id, { status });
		const path = `/webhooks/${one}/deliveries?status=failed&limit=1`;
		const first = await send(path);
		const cursor = String(first.body.nextCursor);
		const second = await send(`${path}&cursor=${cursor}`);
		const shown = [first, second].flatMap(({ body }) =>
			Object(body).webhookDeliveries.map(({ status }: never) => status),
		);
		expect(shown).toEqual(["failed", "failed"]);
		expect(second.body.nextCursor).toBeNull();
		const foreign = await send(
			`/webhooks/${other}/deliveries?status=failed&limit=1&cursor=${cursor}`,
		);
		expect([foreign.status, foreign.body.error?.code]).toEqual([
			400,
			"invalid_cursor",
		]);
	});

	test("are sent again by their id, once for each idempotency key", async () => {
		const id = await createdHook();
		const event = world.webhooks.addDelivery(id);
		const path = `/webhooks/deliveries/${event}.${id}/redeliver`;
		const headers = { "idempotency-key": "again-1" };
		const first = await send(path, { method: "POST", headers });
		const second = await send(path, { method: "POST", headers });
		expect([first.status, second.status]).toEqual([202, 202]);
		expect(first.body.webhookDelivery).toMatchObject({
			id: `${event}.${id}`,
			status: "pending",
			attempts: 0,
		});
		expect(second.text).toBe(first.text);
		expect(second.headers.get("idempotent-replayed")).toBe("true");
	});

	test("of nobody, of another organization or malformed are unknown", async () => {
		const id = await createdHook();
		const event = world.webhooks.addDelivery(id);
		for (const [path, key] of [
			[`${event}.${id}`, otherKey],
			[`${uuidv7()}.${id}`, apiKey],
			[`${event}`, apiKey],
			[`${event}.${id}.x`, apiKey],
			["x", apiKey],
		] as const) {
			const response = await send(`/webhooks/deliveries/${path}/redeliver`, {
				method: "POST",
				apiKey: key,
			});
			expect([response.status, response.body.error?.code]).toEqual([
				404,
				"unknown_webhook_delivery",
			]);
		}
		const foreign = await send(`/webhooks/${id}/deliveries`, {
			apiKey: otherKey,
		});
		expect([foreign.status, foreign.body.error?.code]).toEqual([
			404,
			"unknown_webhook_endpoint",
		]);
	});
});
