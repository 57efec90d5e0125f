import type { Queryable, Tx } from "@airtower/platform/database";

/** Notes that these organizations are closed, which is for good. */
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

export async function isOrganizationClosed(
	sql: Queryable,
	organizationId: string,
): Promise<boolean> {
	const rows = await sql`
		select
		from closed_organizations
		where organization_id = ${organizationId}
	`;
	return rows.count > 0;
}
