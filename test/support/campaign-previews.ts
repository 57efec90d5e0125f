import {
	createRpcClient,
	domainErrorFrom,
} from "@airtower/platform/rpc/client";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import { testDatabase } from "@airtower/platform/testing/database";
import { testKey, testSigner } from "@airtower/platform/testing/identities";
import { serveRoutes } from "@airtower/platform/testing/rpc-server";
import {
	type CampaignForecast,
	CampaignsService,
	type CreateCampaignRequestSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { expect } from "vitest";
import { runDueCampaign } from "../../services/campaigns/src/jobs/run-campaigns.ts";
import { migrations } from "../../services/campaigns/src/migrations.ts";
import { rpcRoutes } from "../../services/campaigns/src/rpc/index.ts";
import { fakeMessaging } from "../../services/campaigns/test/fake-messaging.ts";
import {
	contextWith,
	neverStops,
} from "../../services/campaigns/test/test-campaigns.ts";
import { startRuleWorld } from "../../services/messaging/test/rules/rule-world.ts";

const CALL_TIMEOUT_MS = 60_000;
/** Of a campaign that waits: each try decides one recipient at least. */
const MOST_TRIES = 100;
const WORKERS = 4;
const PLENTY = 1_000_000;

/** By route, in millionths of a euro; the route `first` has none. */
export const MICROS: Readonly<Record<string, number>> = {
	second: 45_000,
	third: 12_500,
};

export type CampaignInit = MessageInitShape<
	typeof CreateCampaignRequestSchema
> & { readonly organizationId: string };

export type CampaignWorld = Awaited<ReturnType<typeof startCampaignWorld>>;

/** Campaigns and messaging, each on a database of its own; nothing delivers, and the quota is a ledger in memory. */
export async function startCampaignWorld() {
	const { service, rules } = await startRuleWorld("second", "third");
	for (const [code, micros] of Object.entries(MICROS)) {
		const settings = { cost: String(micros / 1e6), currency: "EUR" };
		await service.admin.setRoute({ code, settings });
	}
	const database = await testDatabase(migrations);
	const { sql } = database;
	const signedBy = (issuer: string) => ({
		signer: testSigner(testKey(issuer)),
		timeoutMs: CALL_TIMEOUT_MS,
	});
	const messaging = createRpcClient({
		service: MessagingService,
		audience: "messaging",
		baseUrl: `http://127.0.0.1:${service.running.port}`,
		...signedBy("campaigns"),
	});
	const ctx = { ...contextWith(sql, fakeMessaging()), messaging };
	const server = await serveRoutes(
		"campaigns",
		rpcRoutes(ctx, () => {}),
	);
	const campaigns = createRpcClient({
		service: CampaignsService,
		audience: "campaigns",
		baseUrl: server.url,
		...signedBy("gateway"),
	});
	return {
		service,
		rules,
		sql,
		ctx,
		preview: (campaign: CampaignInit) =>
			onBehalfOf(campaign.organizationId, () =>
				campaigns.previewCampaign({ campaign }),
			),
		create: (campaign: CampaignInit) =>
			onBehalfOf(campaign.organizationId, () =>
				campaigns.createCampaign(campaign),
			),
		close: async () => {
			await server.close();
			await service.close();
			await database.drop();
		},
	};
}

export interface NewContact {
	readonly phone: string;
	readonly name: string;
	readonly tags: readonly string[];
}

/** In one statement: a transaction of many would last long on a busy machine. */
export async function insertContacts(
	{ sql }: CampaignWorld,
	organizationId: string,
	contacts: readonly NewContact[],
): Promise<void> {
	const rows = sql.json(
		contacts.map(({ tags, ...contact }) => ({ ...contact, tags: [...tags] })),
	);
	await sql`
		with added as (
			insert into contacts (organization_id, name, phone, tags)
			select ${organizationId}, name, phone, tags
			from jsonb_to_recordset(${rows}::jsonb) as given (phone text, name text, tags text[])
			returning *
		)
		insert into contact_tags (organization_id, tag, created_at, contact_id)
		select organization_id, unnest(tags), created_at, id
		from added
	`;
}

export interface Compared {
	/** Reason of the refusal, empty where the campaign was created. */
	readonly refused: string;
	readonly forecast?: CampaignForecast;
}

/** Previews a campaign and creates it; both must refuse it alike, or not at all. */
export async function previewAndCreate(
	{ preview, create }: CampaignWorld,
	campaign: CampaignInit,
): Promise<Compared> {
	const { result } = await preview(campaign);
	if (result.case === "forecast") {
		await create(campaign);
		return { refused: "", forecast: result.value };
	}
	const { reason = "", field, message } = result.value ?? {};
	const refusal = await create(campaign).then(() => undefined, domainErrorFrom);
	expect({ reason, field, message }).toEqual({
		reason: refusal?.reason,
		field: refusal?.field ?? "",
		message: refusal?.message,
	});
	return { refused: reason };
}

/** Runs the campaigns of these organizations until none of them moves any more, also when it is asked again. */
export async function runToStandstill(
	{ sql, ctx }: CampaignWorld,
	organizationIds: readonly string[],
): Promise<void> {
	const states: string[] = [];
	while (states.length < MOST_TRIES) {
		await Promise.all(Array.from({ length: WORKERS }, () => runAllDue(ctx)));
		const [{ state }] = await sql<[{ state: string }]>`
			select concat(string_agg(concat(id, status, status_reason, accepted, skipped), ' ' order by id)) as state
			from campaigns
			where organization_id = any(${organizationIds}::uuid[])
		`;
		// A step that failed on a busy machine has changed nothing either.
		if (state === states.at(-1) && state === states.at(-2)) return;
		states.push(state);
		await sql`
			update campaigns
			set due_at = now(), lease_until = null
			where organization_id = any(${organizationIds}::uuid[])
			and completed_at is null
			and (accepted + skipped < audience or not snapshot_done)
		`;
	}
	throw new Error("The campaigns have not come to rest.");
}

async function runAllDue(ctx: CampaignWorld["ctx"]): Promise<void> {
	while ((await runDueCampaign(ctx, neverStops)) > 0);
}

/** Whoever is known to the ledger may send, and has quota for all who wait. */
export async function topUp(
	{ sql, service }: CampaignWorld,
	organizationIds: readonly string[],
): Promise<void> {
	const { balances, suspended } = service.ledger;
	suspended.clear();
	for (const id of organizationIds.filter((one) => balances.has(one)))
		balances.set(id, PLENTY);
	await sql`delete from quota_shares where organization_id = any(${organizationIds}::uuid[])`;
}
