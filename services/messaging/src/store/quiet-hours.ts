import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { QuietHours } from "../domain/quiet-hours/quiet-hours.ts";

interface OrganizationHours extends QuietHours {
	readonly organizationId: string;
}

/** Those of the organizations that have any, by organization. */
export async function findQuietHours(
	sql: Queryable,
	organizationIds: readonly string[],
): Promise<ReadonlyMap<string, QuietHours>> {
	const rows = await sql<OrganizationHours[]>`
		select
			organization_id as "organizationId",
			starts_at as "start",
			ends_at as "end"
		from quiet_hours
		where organization_id = any(${organizationIds}::uuid[])
	`;
	return new Map(
		rows.map(({ organizationId, ...hours }) => [organizationId, hours]),
	);
}

/** Returns those before, undefined where there were none. */
export async function putQuietHours(
	sql: Tx,
	organizationId: string,
	{ start, end }: QuietHours,
): Promise<QuietHours | undefined> {
	const [row] = await sql<[Nullable<QuietHours>]>`
		insert into quiet_hours (organization_id, starts_at, ends_at)
		values (${organizationId}, ${start}, ${end})
		on conflict (organization_id) do update
		set starts_at = excluded.starts_at, ends_at = excluded.ends_at
		returning old.starts_at as "start", old.ends_at as "end"
	`;
	return row.start === null || row.end === null
		? undefined
		: { start: row.start, end: row.end };
}

/** Returns those that it deleted, undefined where there were none. */
export async function deleteQuietHours(
	sql: Tx,
	organizationId: string,
): Promise<QuietHours | undefined> {
	const [row] = await sql<QuietHours[]>`
		delete from quiet_hours
		where organization_id = ${organizationId}
		returning starts_at as "start", ends_at as "end"
	`;
	return row;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
