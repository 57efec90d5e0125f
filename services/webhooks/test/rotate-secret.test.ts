import { createHash, randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { codeOf, refusalOf } from "@airtower/platform/testing/refusals";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { serviceSignature, toStandardSecret } from "../src/domain/callback.ts";
import { deleteExpired } from "../src/jobs/delete-expired.ts";
import type { Receiver } from "./support/receiver.ts";
import type { TestRpc } from "./support/rpc.ts";
import { startRpcStage, untilIdle } from "./support/rpc-stage.ts";
import {
	addEndpoint,
	deliverAll,
	openDatabase,
	outcomeEvent,
	type TestEndpoint,
	takeIn,
} from "./support/stage.ts";

const DAY_MS = 86_400_000;

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;
let receiver: Receiver;
let endpoint: TestEndpoint;
let request: { readonly organizationId: string; readonly endpointId: string };

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	const stage = await startRpcStage(database);
	({ ctx, rpc, receiver } = stage);
	endpoint = await addEndpoint(ctx, receiver.url);
	const { id: endpointId, organizationId } = endpoint;
	request = { organizationId, endpointId };
	return stage.close;
});

/** One callback as the receiver got it. */
async function nextCallback() {
	receiver.received.length = 0;
	await takeIn(ctx, [outcomeEvent(endpoint.organizationId)]);
	await deliverAll(ctx);
	const [callback] = receiver.received;
	if (callback === undefined) throw new Error("No callback came.");
	return callback;
}

/** True when a stock Standard Webhooks library accepts the callback. */
function isAccepted(
	secret: string,
	{ body, headers }: Awaited<ReturnType<typeof nextCallback>>,
): boolean {
	try {
		new Webhook(secret).verify(body, headers as Record<string, string>);
		return true;
	} catch {
		return false;
	}
}

async function countRetired(): Promise<number> {
	const rows = await ctx.sql`
		select
		from retired_secrets
		where endpoint_id = ${endpoint.id}
	`;
	return rows.count;
}

describe("RotateSecret", () => {
	it("old and new secret sign together for 24 hours, then the new one alone", async () => {
		const old = toStandardSecret(endpoint.secret);
		const rotated = await rpc.webhooks.rotateSecret(request);
		expect(rotated.signingSecret).toMatch(/^at_whsec_[0-9A-Za-z]{43}$/);
		expect(rotated.standardSecret).toBe(
			toStandardSecret(rotated.signingSecret),
		);
		const until = rotated.previousSignsUntil;
		if (until === undefined) throw new Error("no end of the old secret");
		const leftMs = timestampDate(until).getTime() - Date.now();
		expect(leftMs).toBeGreaterThan(DAY_MS - 60_000);
		expect(leftMs).toBeLessThanOrEqual(DAY_MS);

		const both = await nextCallback();
		expect(isAccepted(old, both)).toBe(true);
		expect(isAccepted(rotated.standardSecret, both)).toBe(true);
		const callback = {
			eventId: String(both.headers["webhook-id"]),
			body: both.body,
			timestamp: Number(both.headers["x-service-timestamp"]),
		};
		expect(both.headers["x-service-signature"]).toBe(
			serviceSignature(callback, endpoint.secret),
		);
		expect(both.headers["x-service-signature-next"]).toBe(
			serviceSignature(callback, rotated.signingSecret),
		);

		await ctx.sql`
			update retired_secrets
			set signs_until = now() - interval '1 ms'
			where endpoint_id = ${endpoint.id}
		`;
		const one = await nextCallback();
		expect(isAccepted(old, one)).toBe(false);
		expect(isAccepted(rotated.standardSecret, one)).toBe(true);
		expect(one.headers).not.toHaveProperty("x-service-signature-next");
		await deleteExpired(ctx);
		expect(await countRetired()).toBe(0);
	});

	it("every secret of the last 24 hours signs; a fifth rotation is refused and changes nothing", async () => {
		const secrets = [toStandardSecret(endpoint.secret)];
		for (let i = 0; i < 4; i++)
			secrets.push((await rpc.webhooks.rotateSecret(request)).standardSecret);
		expect(await refusalOf(rpc.webhooks.rotateSecret(request))).toMatchObject({
			kind: "conflict",
			reason: "webhook_secret_limit_reached",
		});
		const callback = await nextCallback();
		for (const secret of secrets)
			expect(isAccepted(secret, callback)).toBe(true);
	});

	it("a repeated idempotency key returns the same secret and rotates once", async () => {
		const fingerprint = createHash("sha256").update("rotate").digest();
		const keyed = { ...request, idempotency: { key: "key-1", fingerprint } };
		const [first, second] = await Promise.all([
			rpc.webhooks.rotateSecret(keyed),
			rpc.webhooks.rotateSecret(keyed),
		]);
		expect({ ...second, replayed: false }).toEqual({
			...first,
			replayed: false,
		});
		expect([first.replayed, second.replayed].sort()).toEqual([false, true]);
		expect(await countRetired()).toBe(1);
	});

	it("changes nothing once its caller has given up: nobody would see the secret that signs alone a day later", async () => {
		await transaction(database.sql, async (sql) => {
			await sql`select from endpoints where id = ${endpoint.id} for update`;
			const late = rpc.webhooks.rotateSecret(request, { timeoutMs: 700 });
			expect((await refusalOf(late)).kind).toBe("unavailable");
		});
		await untilIdle(database);
		expect(await countRetired()).toBe(0);
		const { headers } = await nextCallback();
		expect(headers).not.toHaveProperty("x-service-signature-next");
	});

	it("stores neither secret nor response in the clear, and a deleted endpoint forgets both secrets", async () => {
		const fingerprint = createHash("sha256").update("rotate").digest();
		const { signingSecret } = await rpc.webhooks.rotateSecret({
			...request,
			idempotency: { key: "key-1", fingerprint },
		});
		const rows = await ctx.sql<{ ciphertext: Buffer }[]>`
			select secret as ciphertext from endpoints where id = ${endpoint.id}
			union all
			select secret from retired_secrets where endpoint_id = ${endpoint.id}
			union all
			select response from idempotency_keys where organization_id = ${endpoint.organizationId}
		`;
		expect(rows).toHaveLength(3);
		for (const { ciphertext } of rows)
			for (const secret of [signingSecret, endpoint.secret])
				expect(ciphertext.includes(secret)).toBe(false);
		await rpc.webhooks.deleteEndpoint(request);
		expect(await countRetired()).toBe(0);
	});

	it("does not know an id of nobody, of another organization or malformed", async () => {
		const foreign = await addEndpoint(ctx, receiver.url);
		for (const endpointId of [randomUUID(), foreign.id, "x"])
			expect(
				await refusalOf(rpc.webhooks.rotateSecret({ ...request, endpointId })),
			).toMatchObject({
				kind: "not_found",
				reason: "unknown_webhook_endpoint",
			});
	});

	it("refuses a caller without a token, or with another organization's", async () => {
		expect(await codeOf(rpc.strangerWebhooks.rotateSecret(request))).toBe(
			"Unauthenticated",
		);
		expect(
			await refusalOf(rpc.webhooksOf(randomUUID()).rotateSecret(request)),
		).toMatchObject({ reason: "organization_mismatch" });
	});
});
