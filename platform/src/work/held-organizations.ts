import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";

/**
 * Of a service's table `suspended_organizations`: from its commit on, nothing more of the organization is claimed.
 * Returns whether it was not held before.
 */
export async function holdOrganization(
	sql: Queryable,
	organizationId: string,
): Promise<boolean> {
	const held = await sql`
		insert into suspended_organizations (organization_id)
		values (${organizationId})
		on conflict do nothing
	`;
	return held.count === 1;
}

/** Returns whether it was held. */
export async function releaseOrganization(
	sql: Queryable,
	organizationId: string,
): Promise<boolean> {
	const released = await sql`
		delete from suspended_organizations
		where organization_id = ${organizationId}
	`;
	return released.count === 1;
}

/** Condition on the work of an organization. */
export function isNotHeld(
	sql: Queryable,
	organizationId: postgres.Fragment,
): postgres.Fragment {
	return sql`not exists (
		select
		from suspended_organizations
		where suspended_organizations.organization_id = ${organizationId}
	)`;
}
