import type { Queryable } from "../database/database.ts";

/** How long an organization keeps texts. */
interface Retention {
	readonly organizationId: string;
	/** After the end of what is kept. */
	readonly bodyDays: number;
}

/**
 * Returns what was set before.
 * @param bodyDays null: as the deployment says
 */
export async function setRetention(
	sql: Queryable,
	organizationId: string,
	bodyDays: number | null,
): Promise<number | null> {
	const [row] = await sql<[{ before: number | null }]>`
		insert into retention (organization_id, body_days)
		values (${organizationId}, ${bodyDays})
		on conflict (organization_id) do update
		set body_days = excluded.body_days, changed_at = now()
		returning old.body_days as before
	`;
	return row.before;
}

/** Organizations that have, or had, a retention of their own. */
export async function findRetentions(
	sql: Queryable,
	deploymentDays: number,
): Promise<Retention[]> {
	return sql<Retention[]>`
		select
			organization_id as "organizationId",
			coalesce(body_days, ${deploymentDays}) as "bodyDays"
		from retention
		order by organization_id
	`;
}

export async function listOwnRetentions(sql: Queryable): Promise<Retention[]> {
	return sql<Retention[]>`
		select organization_id as "organizationId", body_days as "bodyDays"
		from retention
		where body_days is not null
		order by organization_id
	`;
}

/** Days after which a text goes that may be any organization's. */
export async function findShortestRetention(
	sql: Queryable,
	deploymentDays: number,
): Promise<number> {
	const [row] = await sql<[{ days: number }]>`
		select least(${deploymentDays}::integer, min(body_days)) as days
		from retention
	`;
	return row.days;
}
