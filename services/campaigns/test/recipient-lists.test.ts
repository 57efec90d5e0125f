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
		"0": "invalid_phone_number",
		"no number": "invalid_phone_number",
	});
	expect(reasons).toHaveLength(3);
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
	expect(all.recipients).toHaveLength(5);
	const failed = await listAll(organizationId, id, "failed", 2);
	expect(failed).toEqual({ recipients: [], pages: 1 });
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
