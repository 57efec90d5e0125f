import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { Line, Roll } from "../domain/roll-up.ts";

interface LedgerDay {
	readonly organizationId: string;
	/** Its first moment, UTC. */
	readonly day: Date;
}

/**
 * Days with lines of their own from before a moment, the oldest of each organization. A line is put together with
 * others only once all of its day is in the sums: it would be counted twice otherwise.
 */
export async function findOldDays(
	sql: Queryable,
	before: Date,
	limit: number,
): Promise<LedgerDay[]> {
	return sql<LedgerDay[]>`
		select
			organization_id as "organizationId",
			date_trunc('day', oldest.created_at, 'UTC') as day
		from balances
		join ledger_marks using (organization_id)
		cross join lateral (
			select created_at
			from ledger_entries
			where ledger_entries.organization_id = balances.organization_id
			and created_at < ${before}
			and grant_id is null
			and rolled_up is null
			order by created_at
			limit 1
		) as oldest
		where summed_until >= least(dated_at, date_trunc('day', oldest.created_at, 'UTC') + interval '1 day')
		limit ${limit}
	`;
}

/** A line that is not moved until the end of the transaction. */
interface LockedLine extends Line {
	readonly ctid: string;
}

/** The first lines of a day, in the order of the ledger. */
export async function lockLines(
	sql: Tx,
	{ organizationId, day }: LedgerDay,
	limit: number,
): Promise<LockedLine[]> {
	return sql<LockedLine[]>`
		select
			ctid::text,
			id,
			created_at as "createdAt",
			kind,
			channel,
			units,
			rolled_up as "rolledUp"
		from (
			select ctid, *
			from ledger_entries
			where organization_id = ${organizationId}
			and created_at >= ${day}
			order by created_at, id
			limit ${limit}
			for update
		) as line
		where created_at < ${day}::timestamptz + interval '1 day'
		order by created_at, id
	`;
}

/** Leaves the last line of each roll, which stands for all, or none where they cancel out. */
export async function storeRolls(
	sql: Tx,
	rolls: readonly Roll<LockedLine>[],
): Promise<void> {
	for (const { last, units, count, others } of rolls) {
		const gone = units === 0 ? [...others, last] : others;
		await sql`
			delete from ledger_entries
			where ctid = any(${gone.map(({ ctid }) => ctid)}::tid[])
		`;
		await sql`
			update ledger_entries
			set
				units = ${units},
				kind = ${units < 0 ? "usage" : "release"},
				rolled_up = ${count},
				message_id = null,
				campaign_id = null,
				note = null
			where ctid = ${last.ctid}::tid
		`;
	}
}
