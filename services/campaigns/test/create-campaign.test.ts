import { createHash } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import {
	serveRoutes,
	type TestRpcServer,
} from "@airtower/platform/testing/rpc-server";
import {
	CampaignsService,
	type CreateCampaignRequestSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import { rpcRoutes } from "../src/rpc/index.ts";
import { findCampaigns, lockOpenCampaigns } from "../src/store/campaigns.ts";
import {
	type FakeMessaging,
	fakeMessaging,
	SENDER_ID,
} from "./fake-messaging.ts";
import { contextWith, phone } from "./test-campaigns.ts";

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let server: TestRpcServer;
let campaigns: Client<typeof CampaignsService>;
const messaging: FakeMessaging = fakeMessaging();
let now = new Date();

beforeAll(async () => {
	database = await testDatabase(migrations);
	const ctx = { ...contextWith(database.sql, messaging), clock: () => now };
	server = await serveRoutes(
		"campaigns",
		rpcRoutes(ctx, () => {}),
	);
	campaigns = server.client(CampaignsService);
});

afterAll(async () => {
	await server.close();
	await database.drop();
});

beforeEach(() => {
	messaging.senderStatus = "approved";
	now = new Date();
});

/** A campaign an hour ahead, as a client with the idempotency key "sale" asks for it. */
function saleOf(
	organizationId: string,
	name = "Sale",
): MessageInitShape<typeof CreateCampaignRequestSchema> {
	return {
		organizationId,
		name,
		messageTemplate: "Hi",
		audienceTagMatchMode: "all",
		recipients: [phone(1)],
		scheduledAt: timestampFromDate(new Date(now.getTime() + HOUR_MS)),
		idempotency: {
			key: "sale",
			fingerprint: createHash("sha256").update(name).digest(),
		},
	};
}

async function countCampaigns(organizationId: string): Promise<number> {
	const page = { limit: 10, after: undefined };
	return (await findCampaigns(database.sql, organizationId, page)).length;
}

test.each<[when: string, change: () => void]>([
	["nothing has changed", () => {}],
	[
		"its time has passed",
		() => {
			now = new Date(now.getTime() + 2 * HOUR_MS);
		},
	],
	[
		"its sender is no longer approved",
		() => {
			messaging.senderStatus = "suspended";
		},
	],
	[
		"messaging is away",
		() => {
			messaging.senderStatus = undefined;
		},
	],
])("a repeated request gets its first response when %s", async (_, change) => {
	const organizationId = uuidv7();
	const request = saleOf(organizationId);
	const first = await campaigns.createCampaign(request);
	expect(first.replayed).toBe(false);
	change();
	const again = await campaigns.createCampaign(request);
	expect(again).toEqual({ ...first, replayed: true });
	expect(await countCampaigns(organizationId)).toBe(1);
});

test("a caller that has given up has told its client that nothing was made: there is no campaign", async () => {
	const organizationId = uuidv7();
	const request = { ...saleOf(organizationId), idempotency: undefined };
	await transaction(database.sql, async (sql) => {
		await lockOpenCampaigns(sql, organizationId);
		await expect(
			campaigns.createCampaign(request, { timeoutMs: 300 }),
		).rejects.toThrow();
	});
	await campaigns.createCampaign(request);
	expect(await countCampaigns(organizationId)).toBe(1);
});

test("a key of one request is refused to another, also to one that is refused by itself", async () => {
	const organizationId = uuidv7();
	await campaigns.createCampaign(saleOf(organizationId));
	for (const status of ["approved", "suspended"] as const) {
		messaging.senderStatus = status;
		const refusal = await campaigns
			.createCampaign(saleOf(organizationId, "Another"))
			.catch(domainErrorFrom);
		expect(refusal).toMatchObject({ reason: "idempotency_key_reused" });
	}
	expect(await countCampaigns(organizationId)).toBe(1);
});

test("a request that was refused may be repeated with its key", async () => {
	const organizationId = uuidv7();
	messaging.senderStatus = "suspended";
	await expect(
		campaigns.createCampaign(saleOf(organizationId)),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
	messaging.senderStatus = "approved";
	const response = await campaigns.createCampaign(saleOf(organizationId));
	expect(response.replayed).toBe(false);
	expect(await countCampaigns(organizationId)).toBe(1);
});

test.each([
	["a default sender", {}, "sender_id"],
	["a sender that is named", { senderName: "Airtower" }, "sender_name"],
	["a sender of an id", { senderId: SENDER_ID }, "sender_id"],
])(
	"%s that is suspended is refused by the field that may name one",
	async (_, sender, field) => {
		messaging.senderStatus = "suspended";
		const request = { ...saleOf(uuidv7()), ...sender };
		const refusal = await campaigns
			.createCampaign(request)
			.catch(domainErrorFrom);
		expect(refusal).toMatchObject({ reason: "sender_not_approved", field });
	},
);

test("spaces around what is in a placeholder are no part of any message", async () => {
	const { campaign } = await campaigns.createCampaign({
		...saleOf(uuidv7()),
		messageTemplate: "Hi {{ name | my friend }}!",
	});
	expect(campaign?.messageTemplate).toBe("Hi {{name|my friend}}!");
});
