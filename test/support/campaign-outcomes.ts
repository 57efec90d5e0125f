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
}

/** @param balance of the organization; a forecast without messages does not tell it */
export function foretold(forecast: CampaignForecast, balance: number): Outcome {
	expect(forecast.quotaBefore ?? BigInt(balance)).toBe(BigInt(balance));
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
	};
}

export async function becameOf(
	{ sql, service }: CampaignWorld,
	organizationId: string,
): Promise<Outcome> {
	const [row] = await sql<
		[Omit<Outcome, "remaining"> & { readonly id: string }]
	>`
		select id, concat(status, ' ', status_reason) as status, audience, duplicates, accepted
		from campaigns
		where organization_id = ${organizationId}
	`;
	const { id, ...outcome } = row;
	const [{ count }] = await service.sql<[{ count: number }]>`
		select count(*)::int as count
		from messages
		where campaign_id = ${id}
	`;
	expect(count).toBe(outcome.accepted);
	return {
		...outcome,
		remaining: service.ledger.balances.get(organizationId) ?? 0,
	};
}

export async function becameSums(
	{ sql, service }: CampaignWorld,
	organizationId: string,
): Promise<Sums> {
	const skipped = await sql<{ reason: string; count: number }[]>`
		with campaign as (select id from campaigns where organization_id = ${organizationId})
		select reason, count(*)::int as count
		from recipients
		join campaign on id = campaign_id
		where state = 'skipped'
		group by reason
		union all
		select 'duplicate', count(*)::int
		from recipient_duplicates
		join campaign on id = campaign_id
		having count(*) > 0
	`;
	const routes = await service.sql<{ route: string; segments: number }[]>`
		select route, sum(segments)::int as segments
		from messages
		where organization_id = ${organizationId}
		group by route
	`;
	let [segments, micros, segmentsWithoutCost] = [0, 0, 0];
	for (const one of routes) {
		const cost = MICROS[one.route];
		segments += one.segments;
		if (cost === undefined) segmentsWithoutCost += one.segments;
		else micros += cost * one.segments;
	}
	return {
		skipped: Object.fromEntries(
			skipped.map(({ reason, count }) => [reason, count]),
		),
		segments,
		micros,
		segmentsWithoutCost,
	};
}
