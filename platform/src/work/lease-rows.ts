import type { Db, Tx } from "../database/database.ts";

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
		insert into leases (token, lease_until)
		values (${token}, now() + ${leaseMs} * interval '1 millisecond')
	`;
}

export async function prolongLease(
	sql: Db,
	token: string,
	leaseMs: number,
): Promise<boolean> {
	const renewed = await sql`
		update leases
		set lease_until = now() + ${leaseMs} * interval '1 millisecond'
		where token = ${token}
	`;
	return renewed.count === 1;
}
