import { transaction } from "@airtower/platform/database/database";
import { createRpcClient } from "@airtower/platform/rpc/client";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { testKey, testSigner } from "@airtower/platform/testing/identities";
import { serveRoutes } from "@airtower/platform/testing/rpc-server";
import {
	CampaignsService,
	type CreateCampaignRequestSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { rpcRoutes } from "../src/rpc/index.ts";
import { addShares } from "../src/store/quota-shares.ts";
import { type FakeMessaging, fakeMessaging } from "./fake-messaging.ts";
import {
	addContacts,
	contextWith,
	createCampaign,
	ownDatabase,
	phone,
} from "./test-campaigns.ts";

const PREVIEWED = 20;
const CALL_TIMEOUT_MS = 30_000;
const OPEN_CAMPAIGNS = 2;
/** Previews of one organization that run, and that run or wait. */
const RUNNING = 2;
const UNDER_WAY = 10;

type CampaignInit = MessageInitShape<typeof CreateCampaignRequestSchema>;

const sql = await ownDatabase();
let current: FakeMessaging = fakeMessaging();
const ctx = {
	...contextWith(sql, current),
	messaging: {
		sendMessages: () => Promise.reject(new Error("nothing is sent")),
		previewMessages: (
			...call: Parameters<typeof current.client.previewMessages>
		) => current.client.previewMessages(...call),
		listSenderIds: (...call: Parameters<typeof current.client.listSenderIds>) =>
			current.client.listSenderIds(...call),
	},
	bounds: {
		contacts: 100_000,
		openCampaigns: OPEN_CAMPAIGNS,
		previewed: PREVIEWED,
	},
};
const server = await serveRoutes(
	"campaigns",
	rpcRoutes(ctx, () => {}),
);
afterAll(() => server.close());
const campaigns = server.client(CampaignsService);
const { previewCampaign } = createRpcClient({
	service: CampaignsService,
	baseUrl: server.url,
	audience: "campaigns",
	signer: testSigner(testKey("gateway")),
	timeoutMs: CALL_TIMEOUT_MS,
});

/** A campaign that is in order, but for the given fields. */
function campaignOf(
	organizationId: string,
	fields: CampaignInit = {},
): CampaignInit & { readonly organizationId: string } {
	return {
		organizationId,
		name: "Sale",
		messageTemplate: "Hi {{name|you}}",
		audienceTagMatchMode: "all",
		defaultCountry: "FR",
		...fields,
	};
}

function preview(campaign: CampaignInit & { readonly organizationId: string }) {
	return onBehalfOf(campaign.organizationId, () =>
		previewCampaign({ campaign }),
	);
}

async function previewOf(campaign: Parameters<typeof preview>[0]) {
	const { result } = await preview(campaign);
	if (result.case !== "forecast")
		throw new Error(`The campaign is refused: ${result.value?.reason}`);
	return result.value;
}

test("a list is counted as the snapshot takes it, and its texts are the campaign's", async () => {
	current = fakeMessaging(2);
	current.blocked = phone(3);
	const recipients = [1, 2, 3, 4, 1, 1].map(phone);
	recipients.push("06 12 30 00 02", "nobody", "nobody", "12");
	const forecast = await previewOf(campaignOf(uuidv7(), { recipients }));
	expect(forecast).toMatchObject({
		senderName: "Airtower",
		status: "paused",
		statusReason: "quota_exhausted",
		stats: {
			audience: 10n,
			skipped: 7n,
			duplicates: 4n,
			accepted: 2n,
			pending: 1n,
		},
		skipped: [
			{ reason: "duplicate", count: 4n },
			{ reason: "invalid_phone_number", count: 2n },
			{ reason: "message_too_long", count: 1n },
		],
		segments: 3n,
		costs: [{ currency: "EUR", micros: 135_000n, segments: 3n }],
		quotaBefore: 2n,
		remainingQuota: 0n,
	});
	expect(forecast.examples.map((one) => `${one.phone} ${one.body}`)).toEqual(
		[1, 2, 4].map((nth) => `${phone(nth)} Hi you`),
	);
});

test("a campaign for later is told how many messages the quiet hours of its time delay, and one for now those of now", async () => {
	current = fakeMessaging();
	const night = timestampFromMs(Date.now() + 10 * 3_600_000);
	current.isQuietAt = (at) => at?.seconds === night.seconds;
	const recipients = [phone(1), phone(2)];
	const delayed = async (fields: CampaignInit) => {
		const campaign = campaignOf(uuidv7(), { recipients, ...fields });
		return (await previewOf(campaign)).delayedByQuietHours;
	};
	expect(await delayed({ scheduledAt: night })).toBe(2n);
	expect(await delayed({})).toBe(0n);
	current.isQuietAt = (at) => at === undefined;
	expect(await delayed({ scheduledAt: night })).toBe(0n);
	expect(await delayed({})).toBe(2n);
});

test("contacts are those of the tags, and a text that a name makes too long is skipped", async () => {
	current = fakeMessaging();
	const organizationId = uuidv7();
	const tags = [["gold"], ["gold", "new"], ["new"]];
	await addContacts(
		sql,
		organizationId,
		9,
		(index) => tags[index % 3] ?? [],
		(index) => (index === 4 ? "x".repeat(200) : `Name ${index}`),
	);
	const fields = {
		audienceTags: ["gold", "new"],
		messageTemplate: "{{name}}".repeat(9),
	};
	const all = await previewOf(campaignOf(organizationId, fields));
	expect(all.stats).toMatchObject({ audience: 3n, skipped: 1n, accepted: 2n });
	expect(all.skipped).toMatchObject([
		{ reason: "message_too_long", count: 1n },
	]);
	expect(all.examples.map(({ name }) => name)).toEqual(["Name 1", "Name 7"]);
	const any = await previewOf(
		campaignOf(organizationId, { ...fields, audienceTagMatchMode: "any" }),
	);
	expect(any.stats).toMatchObject({ audience: 9n, skipped: 1n, accepted: 8n });
});

test("a share of granted quota bounds what would be accepted", async () => {
	current = fakeMessaging(100);
	const organizationId = uuidv7();
	const recipients = [1, 2, 3].map(phone);
	await createCampaign(sql, organizationId, { recipients });
	await sql`update campaigns set starved = true where organization_id = ${organizationId}`;
	await transaction(sql, (sql) =>
		addShares(sql, [{ organizationId, units: 2 }]),
	);
	expect(
		await previewOf(campaignOf(organizationId, { recipients })),
	).toMatchObject({
		statusReason: "quota_share_used",
		stats: { accepted: 2n, pending: 1n },
		remainingQuota: 98n,
	});
});

test("nothing is stored", async () => {
	current = fakeMessaging();
	const organizationId = uuidv7();
	const recipients = [phone(1), phone(1), "nobody"];
	const idempotency = { key: "key-1", fingerprint: Buffer.alloc(32, 1) };
	const before = await rowCounts();
	await previewOf(campaignOf(organizationId, { recipients, idempotency }));
	expect(await rowCounts()).toEqual(before);
});

async function rowCounts() {
	const tables = await sql<{ name: string }[]>`
		select table_name as name
		from information_schema.tables
		where table_schema = current_schema()
		order by 1
	`;
	const counts: Record<string, unknown> = {};
	for (const { name } of tables) {
		const [row] = await sql`select count(*) as count from ${sql(name)}`;
		counts[name] = row?.count;
	}
	return counts;
}

const recipients = [phone(1)];
const past = timestampFromDate(new Date(0));

test.each<[string, CampaignInit]>([
	["too_short", { name: "  ", recipients }],
	["invalid_template", { messageTemplate: "{{first}}", recipients }],
	["message_too_long", { messageTemplate: "x".repeat(1_601), recipients }],
	["invalid_tags", { audienceTags: ["x".repeat(65)] }],
	["audience_required", {}],
	["audience_required", { audienceTags: ["gold"], recipients }],
	["invalid_schedule", { scheduledAt: past, recipients }],
	["unknown_sender", { senderName: "Nobody", recipients }],
	["sender_not_approved", { senderName: "Pending", recipients }],
])("%s is told as the creation refuses it", async (reason, fields) => {
	current = fakeMessaging();
	const campaign = campaignOf(uuidv7(), fields);
	const { result } = await preview(campaign);
	expect(result).toMatchObject({ case: "refused", value: { reason } });
	const { field, message } = Object(result.value);
	await expect(campaigns.createCampaign(campaign)).rejects.toMatchObject({
		rawMessage: message,
		details: [{ debug: { reason, field } }],
	});
});

test("an organization with all the campaigns that it may have is told so", async () => {
	current = fakeMessaging();
	const organizationId = uuidv7();
	for (let nth = 0; nth < OPEN_CAMPAIGNS; nth++)
		await createCampaign(sql, organizationId, { recipients });
	const campaign = campaignOf(organizationId, { recipients });
	const { result } = await preview(campaign);
	expect(result.value).toMatchObject({ reason: "campaign_limit_reached" });
});

test("while quota is not known there is no preview", async () => {
	current = fakeMessaging();
	current.knowsQuota = false;
	const campaign = campaignOf(uuidv7(), { recipients });
	await expect(preview(campaign)).rejects.toMatchObject({
		code: Code.Unavailable,
	});
});

test("more contacts than a preview looks at are refused", async () => {
	current = fakeMessaging();
	const organizationId = uuidv7();
	const tagsOf = (index: number) => (index === 0 ? ["all"] : ["all", "most"]);
	await addContacts(sql, organizationId, PREVIEWED + 1, tagsOf);
	const of = (tag: string) =>
		campaignOf(organizationId, { audienceTags: [tag] });
	const { stats } = await previewOf(of("most"));
	expect(stats).toMatchObject({ accepted: BigInt(PREVIEWED) });
	await expect(preview(of("all"))).rejects.toMatchObject({
		code: Code.InvalidArgument,
		details: [{ debug: { reason: "audience_too_large" } }],
	});
});

test("of one organization two previews run at a time and eight wait; another one's go on", async () => {
	current = fakeMessaging();
	let begun = 0;
	const gate = Promise.withResolvers<void>();
	onTestFinished(() => gate.resolve());
	current.meanwhile = () => {
		begun++;
		return gate.promise;
	};
	const busy = campaignOf(uuidv7(), { recipients });
	const previewBusy = () => preview(busy);
	const first = Array.from({ length: RUNNING }, previewBusy);
	await eventually(() => expect(begun).toBe(RUNNING));
	const others = Array.from({ length: UNDER_WAY - RUNNING + 1 }, previewBusy);
	const refused = await Promise.any(others.map(invert));
	expect(refused).toMatchObject({ code: Code.Unavailable });
	expect(begun).toBe(RUNNING);
	current.meanwhile = async () => {};
	await previewOf(campaignOf(uuidv7(), { recipients }));
	gate.resolve();
	const ends = await Promise.allSettled([...first, ...others]);
	expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(
		UNDER_WAY,
	);
});

/** Resolves with the error of a call that fails. */
async function invert(call: Promise<unknown>): Promise<unknown> {
	try {
		await call;
	} catch (error) {
		return error;
	}
	throw new Error("The call was carried out.");
}

test("another organization's campaign is not previewed", async () => {
	const campaign = campaignOf(uuidv7(), { recipients });
	const call = onBehalfOf(uuidv7(), () => previewCampaign({ campaign }));
	await expect(call).rejects.toMatchObject({
		code: Code.PermissionDenied,
	});
});
