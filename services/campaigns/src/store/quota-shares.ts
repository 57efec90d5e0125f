import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { forgetReserved } from "./sent-batches.ts";

export interface ShareGrant {
	readonly organizationId: string;
	readonly units: number;
}

/**
 * Adds to what campaigns may use, where one of them waits for quota; others may use all there is. A sharing that begins
 * knows nothing of what batches have reserved of one that is over.
 */
export async function addShares(
	sql: Tx,
	grants: readonly ShareGrant[],
): Promise<void> {
	const added = await sql<{ organizationId: string; isNew: boolean }[]>`
		insert into quota_shares (organization_id, units)
		select organization_id, sum(units)
		from ${unnest(sql, grants, { organizationId: "uuid", units: "bigint" })}
		where exists (
			select
			from campaigns
			where campaigns.organization_id = given.organization_id
			and starved
		)
		group by organization_id
		order by organization_id
		on conflict (organization_id) do update
		set units = quota_shares.units + excluded.units
		returning new.organization_id as "organizationId", old.organization_id is null as "isNew"
	`;
	const begun = added.filter(({ isNew }) => isNew);
	await forgetReserved(
		sql,
		begun.map(({ organizationId }) => organizationId),
	);
}

/** Units left in the share; undefined when campaigns may use all there is. */
export async function findShare(
	sql: Queryable,
	organizationId: string,
): Promise<number | undefined> {
	const [share] = await sql<{ units: number }[]>`
		select units
		from quota_shares
		where organization_id = ${organizationId}
	`;
	return share?.units;
}

/** Takes up to `wanted` units from the share; returns how many, undefined when campaigns may use all there is. */
export async function takeShare(
	sql: Queryable,
	organizationId: string,
	wanted: number,
): Promise<number | undefined> {
	const [share] = await sql<{ taken: number }[]>`
		update quota_shares
		set units = units - least(units, ${wanted})
		where organization_id = ${organizationId}
		returning old.units - new.units as taken
	`;
	return share?.taken;
}

export async function returnShare(
	sql: Queryable,
	organizationId: string,
	units: number,
): Promise<void> {
	await sql`
		update quota_shares
		set units = units + ${units}
		where organization_id = ${organizationId}
	`;
}

/** Ends the sharing in organizations where no campaign waits for quota any more; who waited for a share goes on. */
export async function deleteIdleShares(
	sql: Queryable,
	organizationIds: readonly string[],
): Promise<void> {
	await sql`
		with ended as (
			delete from quota_shares
			where organization_id = any(${organizationIds}::uuid[])
			and not exists (
				select
				from campaigns
				where campaigns.organization_id = quota_shares.organization_id
				and starved
			)
			returning organization_id
		)
		update campaigns
		set due_at = now(), paused_since = now()
		where organization_id in (select organization_id from ended)
		and status = 'paused'
		and status_reason = 'quota_share_used'
	`;
}

/** Lets the campaigns of these organizations use all the quota there is, until one runs out again. */
export async function liftShares(
	sql: Tx,
	organizationIds: readonly string[],
): Promise<void> {
	await sql`
		update campaigns
		set starved = false
		where id = any(array(
			select id
			from campaigns
			where organization_id = any(${organizationIds}::uuid[])
			and starved
			order by id
			for no key update
		))
	`;
	await deleteIdleShares(sql, organizationIds);
}
