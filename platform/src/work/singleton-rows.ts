import type { Db } from "../database/database.ts";
import type { SeenLease } from "./lease-watch.ts";

export async function findHolder(
	sql: Db,
	name: string,
	leaseMs: number,
): Promise<SeenLease | undefined> {
	const [row] = await sql<Omit<SeenLease, "leaseMs">[]>`
		select token, lease_until::text as "renewedAt"
		from singletons
		where name = ${name}
	`;
	return row && { ...row, leaseMs };
}

/** Takes the lease when nobody holds it, or when its silent holder has not renewed it since it was read. */
export async function acquire(
	sql: Db,
	name: string,
	token: string,
	leaseMs: number,
	silent: SeenLease | undefined,
): Promise<boolean> {
	const taken = await sql`
		insert into singletons as owned (name, token, lease_until)
		values (${name}, ${token}, now() + ${leaseMs} * interval '1 millisecond')
		on conflict (name) do update
		set token = excluded.token, lease_until = excluded.lease_until
		where owned.token = ${silent?.token ?? null}
		and owned.lease_until = ${silent?.renewedAt ?? null}::text::timestamptz
	`;
	return taken.count === 1;
}

export async function renew(
	sql: Db,
	name: string,
	token: string,
	leaseMs: number,
): Promise<boolean> {
	const renewed = await sql`
		update singletons
		set lease_until = now() + ${leaseMs} * interval '1 millisecond'
		where name = ${name}
		and token = ${token}
	`;
	return renewed.count === 1;
}

export async function release(
	sql: Db,
	name: string,
	token: string,
): Promise<void> {
	await sql`
		delete from singletons
		where name = ${name}
		and token = ${token}
	`;
}
