import { createHash, randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { codeOf, refusalOf } from "@airtower/platform/testing/refusals";
import { CreateEndpointResponseSchema } from "@airtower/proto/webhooks/v1/webhooks";
import { toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { toStandardSecret } from "../src/domain/callback.ts";
import { countEndpoints, lockEndpoints } from "../src/store/endpoints.ts";
import { startTestRpc, type TestRpc } from "./support/rpc.ts";
import { untilIdle } from "./support/rpc-stage.ts";
import {
	createStageContext,
	isBlocked,
	openDatabase,
} from "./support/stage.ts";

const URL_TEXT = "https://hooks.example.com/airtower";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;

beforeAll(async () => {
	database = await openDatabase();
	ctx = await createStageContext(database, {
		allowPrivateAddresses: false,
		resolve: async (name) =>
			name.startsWith("inside") ? ["10.0.0.1"] : ["93.184.216.34"],
	});
	rpc = await startTestRpc(ctx);
});
afterAll(async () => {
	await rpc.close();
	await database.drop();
});

const registration = (
	organizationId: string,
	key?: string,
	url = URL_TEXT,
) => ({
	organizationId,
	url,
	subscribedEvents: ["message.delivered", "message.failed"],
	...(key === undefined
		? {}
		: {
				idempotency: {
					key,
					fingerprint: createHash("sha256").update(url).digest(),
				},
			}),
});

describe("CreateEndpoint", () => {
	it("returns the endpoint and, this once, its secret", async () => {
		const organizationId = randomUUID();
		const response = await rpc.webhooks.createEndpoint(
			registration(organizationId),
		);
		expect(response.replayed).toBe(false);
		expect(response.signingSecret).toMatch(/^at_whsec_[0-9A-Za-z]{43}$/);
		expect(response.standardSecret).toBe(
			toStandardSecret(response.signingSecret),
		);
		expect(response.endpoint).toMatchObject({
			url: URL_TEXT,
			subscribedEvents: ["message.delivered", "message.failed"],
			status: "active",
			disabledReason: "",
		});
		const listed = await rpc.webhooks.listEndpoints({
			organizationId,
			page: { limit: 50 },
		});
		expect(listed.endpoints).toEqual([response.endpoint]);
	});

	it("stores neither the secret nor the response in the clear", async () => {
		const organizationId = randomUUID();
		const { signingSecret } = await rpc.webhooks.createEndpoint(
			registration(organizationId, "key-1"),
		);
		const [endpoint] = await ctx.sql<{ secret: Buffer }[]>`
			select secret
			from endpoints
			where organization_id = ${organizationId}
		`;
		const [record] = await ctx.sql<{ response: Buffer }[]>`
			select response
			from idempotency_keys
			where organization_id = ${organizationId}
		`;
		expect(endpoint?.secret.includes(signingSecret)).toBe(false);
		expect(record?.response.includes(signingSecret)).toBe(false);
		expect(record?.response.length).toBeGreaterThan(50);
	});

	it("returns the same bytes for a replayed key, secret included", async () => {
		const organizationId = randomUUID();
		const responses = await Promise.all(
			Array.from({ length: 20 }, () =>
				rpc.webhooks.createEndpoint(registration(organizationId, "key-1")),
			),
		);
		const bytes = responses.map((response) =>
			Buffer.from(
				toBinary(CreateEndpointResponseSchema, {
					...response,
					replayed: false,
				}),
			).toString("hex"),
		);
		expect(new Set(bytes).size).toBe(1);
		expect(responses.filter(({ replayed }) => replayed)).toHaveLength(19);
		const { endpoints } = await rpc.webhooks.listEndpoints({
			organizationId,
			page: { limit: 50 },
		});
		expect(endpoints).toHaveLength(1);
	});

	it("knows an organization in capital letters", async () => {
		const organizationId = randomUUID();
		const first = await rpc.webhooks.createEndpoint(
			registration(organizationId, "key-1"),
		);
		const again = await rpc.webhooks.createEndpoint(
			registration(organizationId.toUpperCase(), "key-1"),
		);
		expect(again).toEqual({ ...first, replayed: true });
	});

	it("refuses a key that was used for another request", async () => {
		const organizationId = randomUUID();
		await rpc.webhooks.createEndpoint(registration(organizationId, "key-1"));
		const other = registration(organizationId, "key-1", `${URL_TEXT}/other`);
		expect(await refusalOf(rpc.webhooks.createEndpoint(other))).toMatchObject({
			kind: "conflict",
			reason: "idempotency_key_reused",
		});
	});

	it("lets ten of thirty concurrent registrations through, and another after a deletion", async () => {
		const organizationId = randomUUID();
		const results = await Promise.allSettled(
			Array.from({ length: 30 }, () =>
				rpc.webhooks.createEndpoint(registration(organizationId)),
			),
		);
		expect(
			results.filter((result) => result.status === "fulfilled"),
		).toHaveLength(10);
		expect(
			await refusalOf(
				rpc.webhooks.createEndpoint(registration(organizationId)),
			),
		).toMatchObject({ kind: "conflict", reason: "webhook_limit_reached" });
		const first = { organizationId, page: { limit: 1 } };
		const { endpoints } = await rpc.webhooks.listEndpoints(first);
		const endpointId = endpoints[0]?.id ?? "";
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId });
		await rpc.webhooks.createEndpoint(registration(organizationId));
	});

	it.each([
		"https://127.0.0.1/",
		"https://inside.example.com/",
		"https://user:pass@example.com/",
		"ftp://example.com/",
		"nonsense",
	])("refuses %s, naming the field", async (url) => {
		const call = rpc.webhooks.createEndpoint(
			registration(randomUUID(), undefined, url),
		);
		expect(await refusalOf(call)).toEqual({
			kind: "invalid",
			reason: "invalid_webhook_url",
			field: "url",
		});
	});

	it("registers no unchecked URL when the key's record expires under the request", async () => {
		const organizationId = randomUUID();
		await rpc.webhooks.createEndpoint(registration(organizationId, "key-1"));
		const inside = registration(
			organizationId,
			"key-1",
			"https://inside.example.com/",
		);
		const refusal = await database.sql.begin(async (sql) => {
			await sql`delete from idempotency_keys where organization_id = ${organizationId}`;
			const refusal = refusalOf(rpc.webhooks.createEndpoint(inside));
			await Promise.race([refusal, eventually(() => isBlocked(database))]);
			return { refusal };
		});
		expect(await refusal.refusal).toMatchObject({
			kind: "conflict",
			reason: "idempotency_key_in_use",
		});
		await expect(
			refusalOf(rpc.webhooks.createEndpoint(inside)),
		).resolves.toMatchObject({ reason: "invalid_webhook_url" });
	});

	it("makes nothing once its caller has given up: nobody would see the secret", async () => {
		const organizationId = randomUUID();
		const refusal = await transaction(database.sql, async (sql) => {
			await lockEndpoints(sql, organizationId);
			const asked = registration(organizationId, "late");
			const refusal = refusalOf(
				rpc.webhooks.createEndpoint(asked, { timeoutMs: 700 }),
			);
			return { refused: await refusal };
		});
		expect(refusal.refused.kind).toBe("unavailable");
		await untilIdle(database);
		expect(await countEndpoints(database.sql, organizationId)).toBe(0);
		const again = registration(organizationId, "late");
		expect((await rpc.webhooks.createEndpoint(again)).replayed).toBe(false);
	});

	it("does not remember a refusal: the key is free for a better URL", async () => {
		const organizationId = randomUUID();
		await refusalOf(
			rpc.webhooks.createEndpoint(
				registration(organizationId, "key-1", "https://inside.example.com/"),
			),
		);
		await rpc.webhooks.createEndpoint(registration(organizationId, "key-1"));
	});

	it.each([[[]], [["message.sent"]], [["message.failed", "message.failed"]]])(
		"refuses the subscription %j",
		async (subscribedEvents) => {
			const call = rpc.webhooks.createEndpoint({
				...registration(randomUUID()),
				subscribedEvents,
			});
			expect((await refusalOf(call)).kind).toBe("invalid");
		},
	);

	it("refuses a caller without a token, or with another organization's", async () => {
		const organizationId = randomUUID();
		expect(
			await codeOf(
				rpc.strangerWebhooks.createEndpoint(registration(organizationId)),
			),
		).toBe("Unauthenticated");
		expect(
			await refusalOf(
				rpc
					.webhooksOf(randomUUID())
					.createEndpoint(registration(organizationId)),
			),
		).toMatchObject({ kind: "forbidden", reason: "organization_mismatch" });
	});
});
