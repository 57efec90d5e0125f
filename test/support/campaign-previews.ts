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
const WORKERS = 8;
/** Tries of a preview. */
const MOST_PREVIEWS = 3;
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

interface NewContact {
	readonly organizationId: string;
	readonly phone: string;
	readonly name: string;
	readonly tags: readonly string[];
}

/** In one statement: a transaction of many would last long on a busy machine. */
export async function insertContacts(
	{ sql }: CampaignWorld,
	contacts: readonly NewContact[],
): Promise<void> {
	const rows = sql.json(
		contacts.map(({ tags, ...contact }) => ({ ...contact, tags: [...tags] })),
	);
	await sql`
		with added as (
			insert into contacts (organization_id, name, phone, tags)
			select "organizationId", name, phone, tags
			from jsonb_to_recordset(${rows}::jsonb) as given ("organizationId" uuid, phone text, name text, tags text[])
			returning *
		)
		insert into contact_tags (organization_id, tag, created_at, contact_id)
		select organization_id, unnest(tags), created_at, id
		from added
	`;
}

interface Compared {
	/** Reason of the refusal, empty where the campaign was created. */
	readonly refused: string;
	readonly forecast?: CampaignForecast;
}

/**
 * Previews a campaign and creates it; both must refuse it alike, or not at all.
 * @param label what a failure says of it
 */
export async function previewAndCreate(
	world: CampaignWorld,
	campaign: CampaignInit,
	label: string,
): Promise<Compared> {
	const { result } = await previewKnown(world, campaign);
	if (result.case === "forecast") {
		await world.create(campaign);
		return { refused: "", forecast: result.value };
	}
	const { reason = "", field, message } = result.value ?? {};
	const refusal = await world
		.create(campaign)
		.then(() => undefined, domainErrorFrom);
	expect({ reason, field, message }, label).toEqual({
		reason: refusal?.reason,
		field: refusal?.field ?? "",
		message: refusal?.message,
	});
	return { refused: reason };
}

/** Asks again where a busy machine lets a call last too long. */
async function previewKnown(
	{ preview }: CampaignWorld,
	campaign: CampaignInit,
) {
	for (let tries = 1; ; tries++) {
		try {
			return await preview(campaign);
		} catch (error) {
			if (tries === MOST_PREVIEWS) throw error;
		}
	}
}

/**
 * Runs the campaigns of these organizations until none of them moves any more.
 * @param patience turns of a campaign that change nothing, until it counts as resting
 */
export async function runToStandstill(
	world: CampaignWorld,
	organizationIds: readonly string[],
	patience: number,
): Promise<void> {
	const resting = new Map<string, number>();
	let moving = organizationIds;
	let before = await statesOf(world, moving);
	for (let tries = 0; moving.length > 0; tries++) {
		if (tries === MOST_TRIES)
			throw new Error("The campaigns have not come to rest.");
		await runEachOnce(world, moving);
		const after = await statesOf(world, moving);
		for (const [id, state] of after)
			resting.set(
				id,
				state === before.get(id) ? (resting.get(id) ?? 0) + 1 : 0,
			);
		moving = [...after.keys()].filter((id) => resting.get(id) !== patience);
		before = after;
	}
}

/** Of the campaigns that have somebody left to send to, by organization. */
async function statesOf(
	{ sql }: CampaignWorld,
	organizationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
	const rows = await sql<{ organizationId: string; state: string }[]>`
		select organization_id as "organizationId", concat_ws(' ', status, status_reason, audience, accepted, skipped) as state
		from campaigns
		where organization_id = any(${organizationIds}::uuid[])
		and ${isUnderWay(sql)}
	`;
	return new Map(
		rows.map(({ organizationId, state }) => [organizationId, state]),
	);
}

const isUnderWay = (sql: CampaignWorld["sql"]) => sql`
	completed_at is null and (accepted + skipped < audience or not snapshot_done)
`;

/** The longest due campaign comes first, so each has its turn, however often another one is due again meanwhile. */
async function runEachOnce(
	{ sql, ctx }: CampaignWorld,
	organizationIds: readonly string[],
): Promise<void> {
	const { count } = await sql`
		update campaigns
		set due_at = 'epoch', lease_until = null
		where organization_id = any(${organizationIds}::uuid[])
		and ${isUnderWay(sql)}
	`;
	let left = count;
	const work = async () => {
		while (left-- > 0) await runDueCampaign(ctx, neverStops);
	};
	await Promise.all(Array.from({ length: WORKERS }, work));
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
