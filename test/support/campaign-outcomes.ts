import type { CampaignForecast } from "@airtower/proto/campaigns/v1/campaigns";
import { expect } from "vitest";
import { type CampaignWorld, MICROS } from "./campaign-previews.ts";

/** What became of a campaign, or what would, in words that compare. */
export interface Outcome {
	readonly status: string;
	readonly audience: number;
	readonly duplicates: number;
	readonly accepted: number;
	readonly remaining: number;
}

/** What it comes to once everybody was looked at, and there is quota for all. */
export interface Sums {
	readonly skipped: Readonly<Record<string, number>>;
	readonly segments: number;
	/** In millionths of a euro. */
	readonly micros: number;
	readonly segmentsWithoutCost: number;
	/** Messages that wait for the end of quiet hours. */
	readonly delayed: number;
}

/**
 * @param balance of the organization; a forecast without messages does not tell it
 * @param label what a failure says of the campaign
 */
export function foretold(
	forecast: CampaignForecast,
	balance: number,
	label: string,
): Outcome {
	const before = Number(forecast.quotaBefore ?? balance);
	expect(before, label).toBe(balance);
	const { stats, status, statusReason, remainingQuota } = forecast;
	return {
		status: `${status} ${statusReason}`,
		audience: Number(stats?.audience),
		duplicates: Number(stats?.duplicates),
		accepted: Number(stats?.accepted),
		remaining: Number(remainingQuota ?? balance),
	};
}

export function foretoldSums(forecast: CampaignForecast): Sums {
	const { skipped, segments, costs, segmentsWithoutCost } = forecast;
	return {
		skipped: Object.fromEntries(
			skipped.map(({ reason, count }) => [reason, Number(count)]),
		),
		segments: Number(segments),
		micros: costs.reduce((sum, { micros }) => sum + Number(micros), 0),
		segmentsWithoutCost: Number(segmentsWithoutCost),
		delayed: Number(forecast.delayedByQuietHours),
	};
}

/** By organization; each has one campaign. */
export async function findOutcomes(
	{ sql, service }: CampaignWorld,
	organizationIds: readonly string[],
): Promise<ReadonlyMap<string, Outcome>> {
	const rows = await sql<
		(Omit<Outcome, "remaining"> & { readonly organizationId: string })[]
	>`
		select
			organization_id as "organizationId",
			concat(status, ' ', status_reason) as status,
			audience,
			duplicates,
			accepted
		from campaigns
		where organization_id = any(${organizationIds}::uuid[])
	`;
	const messages = await countMessages(service.sql, organizationIds);
	return new Map(
		rows.map(({ organizationId, ...outcome }) => {
			const stored = messages.get(organizationId) ?? [];
			expect(sumOf(stored, "messages")).toBe(outcome.accepted);
			const remaining = service.ledger.balances.get(organizationId) ?? 0;
			return [organizationId, { ...outcome, remaining }];
		}),
	);
}

/** By organization. */
export async function findSums(
	{ sql, service }: CampaignWorld,
	organizationIds: readonly string[],
): Promise<ReadonlyMap<string, Sums>> {
	const skipped = await countSkipped(sql, organizationIds);
	const messages = await countMessages(service.sql, organizationIds);
	return new Map(
		organizationIds.map((id) => {
			const stored = messages.get(id) ?? [];
			const withCost = stored.filter(({ route }) => route in MICROS);
			return [
				id,
				{
					skipped: Object.fromEntries(
						(skipped.get(id) ?? []).map(({ reason, count }) => [reason, count]),
					),
					segments: sumOf(stored, "segments"),
					micros: withCost.reduce(
						(sum, { route, segments }) => sum + (MICROS[route] ?? 0) * segments,
						0,
					),
					segmentsWithoutCost:
						sumOf(stored, "segments") - sumOf(withCost, "segments"),
					delayed: sumOf(stored, "delayed"),
				},
			];
		}),
	);
}

type Db = CampaignWorld["sql"];

interface RouteMessages {
	readonly organizationId: string;
	readonly route: string;
	readonly messages: number;
	readonly segments: number;
	readonly delayed: number;
}

function sumOf(
	rows: readonly RouteMessages[],
	field: "messages" | "segments" | "delayed",
): number {
	return rows.reduce((sum, row) => sum + row[field], 0);
}

async function countMessages(sql: Db, organizationIds: readonly string[]) {
	const rows = await sql<RouteMessages[]>`
		select
			organization_id as "organizationId",
			route,
			count(*)::int as messages,
			sum(segments)::int as segments,
			count(send_at)::int as delayed
		from messages
		where organization_id = any(${organizationIds}::uuid[])
		group by organization_id, route
	`;
	return Map.groupBy(rows, ({ organizationId }) => organizationId);
}

async function countSkipped(sql: Db, organizationIds: readonly string[]) {
	const rows = await sql<
		{ organizationId: string; reason: string; count: number }[]
	>`
		select organization_id as "organizationId", reason, count(*)::int as count
		from campaigns
		cross join lateral (
			select reason
			from recipients
			where campaign_id = campaigns.id
			and state = 'skipped'
			union all
			select 'duplicate'
			from recipient_duplicates
			where campaign_id = campaigns.id
		) as left_out
		where organization_id = any(${organizationIds}::uuid[])
		group by organization_id, reason
	`;
	return Map.groupBy(rows, ({ organizationId }) => organizationId);
}
