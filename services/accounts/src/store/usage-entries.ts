import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { Channel, MessageOfOrganization } from "./ledger-entries.ts";

const WANTED = { organizationId: "uuid", messageId: "uuid" } as const;

export interface ReservationRow extends MessageOfOrganization {
	readonly units: number;
	readonly channel: Channel;
	readonly campaignId: string | null;
	readonly released: boolean;
}

/** Reservations of the messages, those given back included. */
export async function findReservations(
	sql: Tx,
	messages: readonly MessageOfOrganization[],
): Promise<ReservationRow[]> {
	return sql<ReservationRow[]>`
		select
			wanted.organization_id as "organizationId",
			wanted.message_id as "messageId",
			usage.units,
			usage.channel,
			usage.campaign_id as "campaignId",
			usage.released
		from ${unnest(sql, messages, WANTED, { as: "wanted" })}
		cross join lateral ${usageOfWanted(sql)} as usage
	`;
}

/** The reservation of the message in `wanted`, by one look-up in the index. */
export function usageOfWanted(sql: Queryable) {
	return sql`(
		select
			u.units,
			u.balance_after,
			u.channel,
			u.campaign_id,
			exists (
				select
				from ledger_entries r
				where r.organization_id = wanted.organization_id
				and r.message_id = wanted.message_id
				and r.kind = 'release'
			) as released
		from ledger_entries u
		where u.organization_id = wanted.organization_id
		and u.message_id = wanted.message_id
		and u.kind = 'usage'
		limit 1
	)`;
}
