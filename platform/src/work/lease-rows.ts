import type { Db, Tx } from "../database/database.ts";
import type { SeenLease } from "./lease-watch.ts";

/** Waits until every claim under a token has ended, and lets none begin until the transaction ends. */
export async function lockLease(sql: Tx, token: string): Promise<void> {
	await sql`
		select
		from leases
		where token = ${token}
		for update
	`;
}

export async function insertLease(
	sql: Db,
	token: string,
	leaseMs: number,
): Promise<void> {
	await sql`
		insert into leases (token, renewed_at, lease_until)
		values (${token}, now(), now() + ${leaseMs} * interval '1 millisecond')
	`;
}

export async function prolongLease(
	sql: Db,
	token: string,
	leaseMs: number,
): Promise<boolean> {
	const renewed = await sql`
		update leases
		set
			renewed_at = now(),
			lease_until = now() + ${leaseMs} * interval '1 millisecond'
		where token = ${token}
	`;
	return renewed.count === 1;
}

export async function listOthers(sql: Db, token: string): Promise<SeenLease[]> {
	return sql<SeenLease[]>`
		select
			token,
			renewed_at::text as "renewedAt",
			extract(epoch from lease_until - renewed_at)::float8 * 1000 as "leaseMs"
		from leases
		where token <> ${token}
	`;
}

/** Returns the tokens of those that nobody has renewed meanwhile. */
export async function deleteUnrenewed(
	sql: Tx,
	leases: readonly SeenLease[],
): Promise<string[]> {
	const deleted = await sql<{ token: string }[]>`
		delete from leases
		using unnest(
			${leases.map((lease) => lease.token)}::uuid[],
			${leases.map((lease) => lease.renewedAt)}::text[]::timestamptz[]
		) as silent (token, renewed_at)
		where leases.token = silent.token
		and leases.renewed_at = silent.renewed_at
		returning leases.token
	`;
	return deleted.map(({ token }) => token);
}
