import type { Queryable, Tx } from "@airtower/platform/database/database";

/** Closed is for good. */
export async function insertClosedOrganizations(
	sql: Tx,
	organizationIds: readonly string[],
): Promise<void> {
	await sql`
		insert into closed_organizations (organization_id)
		select unnest(${organizationIds}::uuid[])
		on conflict do nothing
	`;
}

/** True for an organization that was noted as closed at least so long ago, ms. */
export async function isOrganizationClosed(
	sql: Queryable,
	organizationId: string,
	sinceMs: number,
): Promise<boolean> {
	const rows = await sql`
		select
		from closed_organizations
		where organization_id = ${organizationId}
		and noted_at <= now() - ${sinceMs} * interval '1 millisecond'
	`;
	return rows.count > 0;
}
