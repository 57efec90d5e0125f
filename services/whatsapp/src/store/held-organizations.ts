import type { Queryable } from "@airtower/platform/database/database";

/** From its commit on, nothing more of the organization is claimed. */
export async function holdOrganization(
	sql: Queryable,
	organizationId: string,
): Promise<void> {
	await sql`
		insert into held_organizations (organization_id)
		values (${organizationId})
		on conflict do nothing
	`;
}

export async function letOrganizationGo(
	sql: Queryable,
	organizationId: string,
): Promise<void> {
	await sql`
		delete from held_organizations
		where organization_id = ${organizationId}
	`;
}
