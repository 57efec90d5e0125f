import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { OrganizationState } from "../domain/organization-state.ts";
import { type Page, pageClauses } from "./page.ts";

export interface OrganizationRow {
	readonly id: string;
	readonly name: string;
	readonly email: string;
	readonly state: OrganizationState;
	readonly plan: string;
	readonly defaultCountry: string | null;
	readonly balance: number;
	readonly createdAt: Date;
}

export interface NewOrganization {
	readonly id: string;
	readonly name: string;
	readonly email: string;
	readonly state: OrganizationState;
	readonly defaultCountry: string | null;
}

function selectOrganization(sql: Queryable) {
	return sql`
		select
			o.id,
			o.name,
			o.email,
			o.state,
			s.plan,
			o.default_country as "defaultCountry",
			b.balance,
			o.created_at as "createdAt"
		from organizations o
		join subscriptions s on s.organization_id = o.id
		join balances b on b.organization_id = o.id
	`;
}

export async function findOrganization(
	sql: Queryable,
	organizationId: string,
): Promise<OrganizationRow | undefined> {
	const [row] = await sql<OrganizationRow[]>`
		${selectOrganization(sql)}
		where o.id = ${organizationId}
	`;
	return row;
}

export async function findOrganizationByName(
	sql: Queryable,
	name: string,
): Promise<OrganizationRow | undefined> {
	const [row] = await sql<OrganizationRow[]>`
		${selectOrganization(sql)}
		where o.name = ${name}
	`;
	return row;
}

/** The page is cut before the joins, which are then of its rows alone. */
export async function listOrganizations(
	sql: Queryable,
	page: Page,
): Promise<OrganizationRow[]> {
	return sql<OrganizationRow[]>`
		${selectOrganization(sql)}
		where o.id in (
			select id
			from organizations
			where true
			${pageClauses(sql, page)}
		)
		order by o.created_at desc, o.id desc
	`;
}

/** Fails with a violation of `organizations_name_unique` when the name is taken. */
export async function insertOrganization(
	sql: Tx,
	organization: NewOrganization,
): Promise<void> {
	await sql`
		insert into organizations (id, name, email, state, default_country)
		values (
			${organization.id},
			${organization.name},
			${organization.email},
			${organization.state},
			${organization.defaultCountry}
		)
	`;
}

/** Ids in their order, those after one. */
export async function listOrganizationIds(
	sql: Queryable,
	after: string,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		select id
		from organizations
		where id > ${after}
		order by id
		limit ${limit}
	`;
	return rows.map(({ id }) => id);
}
