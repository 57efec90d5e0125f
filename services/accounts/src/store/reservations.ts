import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { OrganizationState } from "../domain/organization-state.ts";
import type { ReservationOutcome } from "../domain/reservation-decision.ts";
import { nextDate } from "./balances.ts";
import type { Channel, MessageOfOrganization } from "./ledger-entries.ts";

export interface NewReservation {
	readonly organizationId: string;
	readonly messageId: string;
	readonly channel: Channel;
	readonly campaignId: string | null;
}

const RESERVATION = {
	organizationId: "uuid",
	messageId: "uuid",
	channel: "text",
	campaignId: "uuid",
} as const;

/**
 * Debits one unit for each message that has none yet, in the order given; messages must be distinct. Balances are
 * locked in id order against deadlocks, and entries dated after that. A unique violation says that another call
 * reserved one of the messages meanwhile: repeat the statement.
 */
export async function insertReservations(
	sql: Queryable,
	reservations: readonly NewReservation[],
	sendingStates: readonly OrganizationState[],
): Promise<ReservationOutcome[]> {
	return sql<ReservationOutcome[]>`
		with ${wantedAndLocked(sql, reservations)}, found as (
			select
				wanted.*,
				dated.state,
				dated.balance,
				dated.dated_at,
				usage.balance_after as earlier_balance,
				usage.released,
				dated.state = any(${[...sendingStates]}::text[])
					and usage.balance_after is null as fresh
			from wanted
			left join dated on dated.organization_id = wanted.organization_id
			left join lateral ${usageOfWanted(sql)} as usage on true
		), decided as materialized (
			select
				*,
				case when fresh then
					balance - count(*) filter (where fresh) over (
						partition by organization_id
						order by ordinal
					)
				end as balance_after
			from found
		), ${granted(sql)}
		select
			state,
			earlier_balance as "earlierBalance",
			coalesce(released, false) as released,
			case when balance_after >= 0 then balance_after end as "balanceAfter"
		from decided
		order by ordinal
	`;
}

/** The reservations asked for, and the balances of their organizations, locked until the statement's end. */
function wantedAndLocked(
	sql: Queryable,
	reservations: readonly NewReservation[],
) {
	const organizationIds = reservations.map((one) => one.organizationId);
	return sql`
		wanted as materialized (
			select *
			from ${unnest(sql, reservations, RESERVATION, { ordinal: "ordinal" })}
		), locked as materialized (
			select b.organization_id, b.balance, b.dated_at, o.state
			from balances b
			join organizations o on o.id = b.organization_id
			where b.organization_id = any(${[...new Set(organizationIds)]}::uuid[])
			order by b.organization_id
			for update of b
		), dated as materialized (
			select
				organization_id,
				balance,
				state,
				greatest(
					${nextDate(sql, sql`dated_at`)},
					(select max(closing_at) from reconciler_watermarks)
				)::timestamptz(3) as dated_at
			from locked
		)
	`;
}

function granted(sql: Queryable) {
	return sql`
		granted as (
			insert into ledger_entries (
				created_at, id, organization_id, kind, units, balance_after,
				channel, message_id, campaign_id
			)
			select
				dated_at,
				uuidv7(),
				organization_id, 'usage', -1, balance_after,
				channel, message_id, campaign_id
			from decided
			where balance_after >= 0
			order by ordinal
		), debited as (
			update balances b
			set balance = b.balance - taken.units, dated_at = taken.dated_at
			from (
				select organization_id, count(*) as units, max(dated_at) as dated_at
				from decided
				where balance_after >= 0
				group by organization_id
			) as taken
			where b.organization_id = taken.organization_id
		)
	`;
}

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

/**
 * The reservation of the message in `wanted`, by one look-up in the index. It names no kind while it searches: a table
 * that was counted with grants alone makes the index of usage look empty, and all of it would be read for each message.
 */
function usageOfWanted(sql: Queryable) {
	return sql`(
		select units, balance_after, channel, campaign_id, released
		from (
			select *, bool_or(kind = 'release') over () as released
			from ledger_entries
			where organization_id = wanted.organization_id
			and message_id = wanted.message_id
		) as of_message
		where kind = 'usage'
	)`;
}
