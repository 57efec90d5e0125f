import type { Queryable, Tx } from "@airtower/platform/database/database";

/** Registers a dispatcher with a fresh lease. */
export async function insertDispatcher(
	sql: Queryable,
	token: string,
	leaseMs: number,
): Promise<void> {
	await sql`
		insert into dispatchers (token, lease_until)
		values (${token}, now() + ${leaseMs} * interval '1 millisecond')
	`;
}

/** Prolongs a lease; false when another process has taken over the dispatcher's work. */
export async function renewLease(
	sql: Queryable,
	token: string,
	leaseMs: number,
): Promise<boolean> {
	const renewed = await sql`
		update dispatchers
		set lease_until = now() + ${leaseMs} * interval '1 millisecond'
		where token = ${token}
	`;
	return renewed.count === 1;
}

/** Keeps the lease from being taken over until the transaction ends; false when it is gone already. */
export async function shareLease(sql: Tx, token: string): Promise<boolean> {
	const rows = await sql`
		select
		from dispatchers
		where token = ${token}
		for key share
	`;
	return rows.count === 1;
}

/** Waits until every claim under a lease is committed or undone, and lets none begin until the transaction ends. */
export async function lockLease(sql: Tx, token: string): Promise<void> {
	await sql`
		select
		from dispatchers
		where token = ${token}
		for update
	`;
}

/** Removes leases that ran out, but never the caller's own; answers their tokens. */
export async function deleteExpiredDispatchers(
	sql: Tx,
	ownToken: string,
): Promise<string[]> {
	const rows = await sql<{ token: string }[]>`
		delete from dispatchers
		where lease_until < now()
		and token <> ${ownToken}
		returning token
	`;
	return rows.map((row) => row.token);
}

export async function deleteDispatcher(sql: Tx, token: string): Promise<void> {
	await sql`
		delete from dispatchers
		where token = ${token}
	`;
}
