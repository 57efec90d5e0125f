import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";

/** A table of the groups of a queue that are suspended: from its commit on, nothing more of the group is claimed. */
interface Suspensions {
	readonly table: string;
	/** The column that names the group. */
	readonly group: string;
}

/** Returns whether it was not suspended before. */
export async function suspendGroup(
	sql: Queryable,
	{ table, group }: Suspensions,
	id: string,
): Promise<boolean> {
	const suspended = await sql`
		insert into ${sql(table)} (${sql(group)})
		values (${id})
		on conflict do nothing
	`;
	return suspended.count === 1;
}

/** Returns whether it was suspended. */
export async function resumeGroup(
	sql: Queryable,
	{ table, group }: Suspensions,
	id: string,
): Promise<boolean> {
	const resumed = await sql`
		delete from ${sql(table)}
		where ${sql(group)} = ${id}
	`;
	return resumed.count === 1;
}

/** Condition on the work of a group. */
export function isNotSuspended(
	sql: Queryable,
	{ table, group }: Suspensions,
	id: postgres.Fragment,
): postgres.Fragment {
	return sql`not exists (
		select
		from ${sql(table)} as suspended
		where suspended.${sql(group)} = ${id}
	)`;
}
