import type { Db } from "@airtower/platform/database/database";
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
	type Campaign,
	CampaignsService,
	type Recipient,
} from "@airtower/proto/campaigns/v1/campaigns";
import type { PageKey } from "@airtower/proto/common/v1/page";
import type { Client } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import { rpcRoutes } from "../src/rpc/index.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import {
	contextWith,
	createCampaign,
	phone,
	runAll,
} from "./test-campaigns.ts";

let database: TestDatabase;
let sql: Db;
let server: TestRpcServer;
let campaigns: Client<typeof CampaignsService>;
const messaging = fakeMessaging();

beforeAll(async () => {
	database = await testDatabase(migrations);
	sql = database.sql;
	const ctx = contextWith(sql, messaging);
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

/** Every recipient of a status, page by page, and the number of pages. */
async function listAll(
	organizationId: string,
	campaignId: string,
	status: string,
	limit: number,
) {
	const recipients: Recipient[] = [];
	let pages = 0;
	let after: PageKey | undefined;
	do {
		const page = { limit, ...(after && { after }) };
		const request = { organizationId, campaignId, status, page };
		const response = await campaigns.listRecipients(request);
		recipients.push(...response.recipients);
		after = response.next;
		pages++;
	} while (after !== undefined);
	return { recipients, pages };
}

test("the recipients left out are listed with their reasons, and each of the others with its message", async () => {
	const organizationId = uuidv7();
	const { id } = await createCampaign(sql, organizationId, {
		recipients: [phone(1), "no number", "0", phone(2), phone(3), phone(3)],
	});
	messaging.blocked = phone(2);
	await runAll(contextWith(sql, messaging));
	const skipped = await listAll(organizationId, id, "skipped", 2);
	const reasons = skipped.recipients.map(({ phone, reason }) => [
		phone,
		reason,
	]);
	expect(Object.fromEntries(reasons)).toEqual({
		[phone(2)]: "message_too_long",
		[phone(3)]: "duplicate",
		"0": "invalid_phone_number",
		"no number": "invalid_phone_number",
	});
	expect(reasons).toHaveLength(4);
	const accepted = await listAll(organizationId, id, "accepted", 1);
	expect(
		accepted.recipients.map(({ phone, messageId }) => [phone, messageId]),
	).toEqual(
		[phone(1), phone(3)].map((to) => [
			to,
			messaging.accepted.get(to)?.messageId,
		]),
	);
	const all = await listAll(organizationId, id, "", 2);
	expect(all.recipients).toHaveLength(6);
	const failed = await listAll(organizationId, id, "failed", 2);
	expect(failed).toEqual({ recipients: [], pages: 1 });
});

test("who was given again is listed each time, with the message of the recipient that it repeats, on pages of any size", async () => {
	const organizationId = uuidv7();
	const many = Array.from({ length: 7 }, () => phone(21));
	const { id } = await createCampaign(sql, organizationId, {
		recipients: [...many, "no number", phone(22), "no number", "0612300022"],
	});
	messaging.blocked = undefined;
	await runAll(contextWith(sql, messaging));
	const { stats } = (
		await campaigns.getCampaign({ organizationId, campaignId: id })
	).campaign as Campaign;
	expect(stats).toMatchObject({ audience: 11n, skipped: 9n, duplicates: 8n });
	for (const limit of [1, 2, 3, 100]) {
		const skipped = await listAll(organizationId, id, "skipped", limit);
		expect(skipped.recipients).toHaveLength(9);
		const all = await listAll(organizationId, id, "", limit);
		expect(all.recipients).toHaveLength(11);
		const ofFirst = all.recipients.filter((one) => one.phone === phone(21));
		expect(ofFirst.map(({ status }) => status)).toEqual([
			"accepted",
			...many.slice(1).map(() => "skipped"),
		]);
		expect(new Set(ofFirst.map(({ messageId }) => messageId)).size).toBe(1);
		const repeated = skipped.recipients.filter(
			({ reason }) => reason === "duplicate",
		);
		expect(repeated).toHaveLength(8);
	}
});

test("an empty text that was given as a number is listed like any that is none", async () => {
	const organizationId = uuidv7();
	const { id } = await createCampaign(sql, organizationId, {
		recipients: ["", phone(31), "", "no number"],
	});
	await runAll(contextWith(sql, messaging));
	for (const limit of [1, 2, 100]) {
		const skipped = await listAll(organizationId, id, "skipped", limit);
		const reasons = skipped.recipients.map(({ phone, reason }) => [
			phone,
			reason,
		]);
		expect(reasons).toEqual([
			["", "invalid_phone_number"],
			["", "duplicate"],
			["no number", "invalid_phone_number"],
		]);
		const all = await listAll(organizationId, id, "", limit);
		expect(all.recipients).toHaveLength(4);
	}
});

test("a rare status is found page by page, however many other recipients there are", async () => {
	const organizationId = uuidv7();
	const { id } = await createCampaign(sql, organizationId, {});
	await sql`
		insert into recipients (campaign_id, phone, state)
		select
			${id},
			'+3361' || 2000000 + nth,
			case when nth % 12000 = 0 then 'delivered' else 'accepted' end
		from generate_series(1, 25000) as nth
	`;
	const found = await listAll(organizationId, id, "delivered", 50);
	expect(found.recipients.map(({ phone }) => phone)).toEqual([
		"+33612012000",
		"+33612024000",
	]);
	expect(found.pages).toBe(3);
});
