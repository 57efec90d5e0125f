import type { Db } from "../database/database.ts";

export async function acquire(
	sql: Db,
	name: string,
	token: string,
	leaseMs: number,
): Promise<boolean> {
	const taken = await sql`
		insert into singletons as held (name, token, lease_until)
		values (${name}, ${token}, now() + ${leaseMs} * interval '1 millisecond')
		on conflict (name) do update
		set token = excluded.token, lease_until = excluded.lease_until
		where held.lease_until < now()
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
