import type { Queryable, Tx } from "@airtower/platform/database/database";
import { isAfter, type RowKey } from "@airtower/platform/database/page";
import type {
	CampaignProgress,
	CampaignState,
} from "../domain/campaign-state.ts";

export interface NewCampaign {
	readonly id: string;
	readonly organizationId: string;
	readonly name: string;
	readonly messageTemplate: string;
	readonly senderId: string;
	readonly senderName: string;
	readonly audienceTags: string[];
	readonly audienceTagMatchMode: "all" | "any";
	readonly defaultCountry: string;
	/** Null for one that starts at once. */
	readonly scheduledAt: Date | null;
}

export interface Campaign extends NewCampaign, CampaignProgress {
	readonly status: CampaignState;
	readonly statusReason: string | null;
	readonly startedAt: Date | null;
	readonly completedAt: Date | null;
	readonly createdAt: Date;
	readonly snapshotDone: boolean;
	readonly snapshotAfter: number;
	readonly snapshotUntil: number | null;
}

/** The columns of {@link Campaign}, to select. */
export function selectCampaign(sql: Queryable) {
	return sql`
		id, organization_id as "organizationId", name, message_template as "messageTemplate",
		sender_id as "senderId", sender_name as "senderName", audience_tags as "audienceTags",
		audience_tag_match_mode as "audienceTagMatchMode", default_country as "defaultCountry",
		status, status_reason as "statusReason", scheduled_at as "scheduledAt",
		started_at as "startedAt", completed_at as "completedAt", created_at as "createdAt",
		snapshot_done as "snapshotDone", snapshot_after as "snapshotAfter", snapshot_until as "snapshotUntil",
		audience, skipped, accepted, delivered, failed, duplicates
	`;
}

export async function insertCampaign(
	sql: Tx,
	campaign: NewCampaign,
): Promise<Campaign> {
	const { scheduledAt } = campaign;
	const isScheduled = scheduledAt !== null;
	const [row] = await sql<[Campaign]>`
		insert into campaigns (
			id, organization_id, name, message_template, sender_id, sender_name,
			audience_tags, audience_tag_match_mode, default_country,
			status, scheduled_at, started_at, due_at
		)
		values (
			${campaign.id}, ${campaign.organizationId}, ${campaign.name}, ${campaign.messageTemplate},
			${campaign.senderId}, ${campaign.senderName},
			${campaign.audienceTags}::text[], ${campaign.audienceTagMatchMode}, ${campaign.defaultCountry},
			${isScheduled ? "scheduled" : "sending"}, ${scheduledAt},
			${isScheduled ? null : sql`now()`}, coalesce(${scheduledAt}::timestamptz, now())
		)
		returning ${selectCampaign(sql)}
	`;
	return row;
}

/** Others that create a campaign of the organization wait until this transaction ends. */
export async function lockOpenCampaigns(
	sql: Tx,
	organizationId: string,
): Promise<void> {
	await sql`
		select pg_advisory_xact_lock(hashtextextended('campaigns.open ' || ${organizationId}, 0))
	`;
}

/** Campaigns of the organization that have not dealt with all their recipients: who waits for outcomes is done. */
export async function countOpenCampaigns(
	sql: Queryable,
	organizationId: string,
): Promise<number> {
	const [{ count }] = await sql<[{ count: number }]>`
		select count(*)::int as count
		from campaigns
		where organization_id = ${organizationId}
		and completed_at is null
		and staged_at is null
	`;
	return count;
}

/** The organizations of campaigns, by the campaigns' ids. */
export async function findOwners(
	sql: Queryable,
	ids: readonly string[],
): Promise<Map<string, string>> {
	const rows = await sql<{ id: string; organizationId: string }[]>`
		select id, organization_id as "organizationId"
		from campaigns
		where id = any(${[...ids]}::uuid[])
	`;
	return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}

export async function findCampaign(
	sql: Queryable,
	organizationId: string,
	id: string,
): Promise<Campaign | undefined> {
	const [row] = await sql<Campaign[]>`
		select ${selectCampaign(sql)}
		from campaigns
		where id = ${id}
		and organization_id = ${organizationId}
	`;
	return row;
}

export async function findCampaigns(
	sql: Queryable,
	organizationId: string,
	{ limit, after }: { limit: number; after: RowKey | undefined },
): Promise<Campaign[]> {
	return sql<Campaign[]>`
		select ${selectCampaign(sql)}
		from campaigns
		where organization_id = ${organizationId}
		${isAfter(sql, after)}
		order by created_at desc, id desc
		limit ${limit}
	`;
}
