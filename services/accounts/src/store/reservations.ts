import type { Queryable } from "@airtower/platform/database/database";
import type { OrganizationState } from "../domain/organization-state.ts";
import type { ReservationAnswer } from "../domain/reservation-decision.ts";
import type { Channel } from "./ledger-entries.ts";

export interface NewReservation {
	readonly organizationId: string;
	readonly messageId: string;
	readonly channel: Channel;
	readonly campaignId: string | null;
}

/**
 * Debits one unit for each message that has none yet, in the order given, as far as its organization's
 * balance goes, and answers for each what was found and done. One statement: a balance stays locked
 * for no longer than it takes, and all of it happens or nothing.
 *
 * Messages must be distinct. Balances are locked in id order, so that batches over several organizations
 * cannot deadlock. Entries are made after the locks were granted, with that time and ids of it: an
 * organization's entries are in order. A unique violation says that another call reserved one of the
 * messages meanwhile; repeat the statement, and it finds that reservation.
 */
export async function insertReservations(
	sql: Queryable,
	reservations: readonly NewReservation[],
	sendingStates: readonly OrganizationState[],
): Promise<ReservationAnswer[]> {
	const organizationIds = reservations.map((one) => one.organizationId);
	return sql<ReservationAnswer[]>`
		with wanted as materialized (
			select *
			from unnest(
				${organizationIds}::uuid[],
				${reservations.map((one) => one.messageId)}::uuid[],
				${reservations.map((one) => one.channel)}::text[],
				${reservations.map((one) => one.campaignId)}::uuid[]
			) with ordinality as one (organization_id, message_id, channel, campaign_id, place)
		), locked as materialized (
			select b.organization_id, b.balance, o.state
			from balances b
			join organizations o on o.id = b.organization_id
			where b.organization_id = any(${[...new Set(organizationIds)]}::uuid[])
			order by b.organization_id
			for update of b
		), found as (
			select
				wanted.*,
				locked.state,
				locked.balance,
				usage.balance_after as earlier_balance,
				usage.released,
				locked.state = any(${[...sendingStates]}::text[])
					and usage.balance_after is null as fresh
			from wanted
			left join locked on locked.organization_id = wanted.organization_id
			left join lateral (
				select
					u.balance_after,
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
			) as usage on true
		), decided as materialized (
			select
				*,
				case when fresh then
					balance - count(*) filter (where fresh) over (
						partition by organization_id
						order by place
					)
				end as balance_after
			from found
		), granted as (
			insert into ledger_entries (
				created_at, id, organization_id, kind, units, balance_after,
				channel, message_id, campaign_id
			)
			select
				(select max(clock_timestamp()) from locked),
				uuidv7(),
				organization_id, 'usage', -1, balance_after,
				channel, message_id, campaign_id
			from decided
			where balance_after >= 0
			order by place
		), debited as (
			update balances b
			set balance = b.balance - taken.units
			from (
				select organization_id, count(*) as units
				from decided
				where balance_after >= 0
				group by organization_id
			) as taken
			where b.organization_id = taken.organization_id
		)
		select
			state,
			earlier_balance as "earlierBalance",
			coalesce(released, false) as released,
			case when balance_after >= 0 then balance_after end as "balanceAfter"
		from decided
		order by place
	`;
}
