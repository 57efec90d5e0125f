import type { Tx } from "@airtower/platform/database/database";
import type { OrganizationState } from "../domain/organization-state.ts";

/** The state, locked until the transaction ends. */
export async function lockOrganizationState(
	sql: Tx,
	organizationId: string,
): Promise<OrganizationState | undefined> {
	const [row] = await sql<{ state: OrganizationState }[]>`
		select state
		from organizations
		where id = ${organizationId}
		for no key update
	`;
	return row?.state;
}

export async function updateOrganizationState(
	sql: Tx,
	organizationId: string,
	state: OrganizationState,
): Promise<void> {
	await sql`
		update organizations
		set state = ${state}
		where id = ${organizationId}
	`;
}
