import type { Db } from "../database/database.ts";
import { uuidv7 } from "../runtime/ids.ts";
import type { Logger } from "../runtime/log.ts";
import { pause } from "../runtime/waiting.ts";
import {
	createLeaseWatch,
	type LeaseWatch,
	type SeenLease,
} from "./lease-watch.ts";
import { BEATS_PER_LEASE, whileRenewed } from "./while-renewed.ts";

interface SingletonOptions {
	readonly sql: Db;
	readonly name: string;
	readonly signal: AbortSignal;
	readonly log: Logger;
	/** How long a holder without a heartbeat keeps the work, ms; default 10,000. */
	readonly leaseMs?: number;
	readonly whileHeld: (signal: AbortSignal) => Promise<void>;
}

const DEFAULT_LEASE_MS = 10_000;

/** A dead or frozen holder is replaced within 1.2 leases. Its last statement may come late, and must be harmless. */
export async function runSingleton(options: SingletonOptions): Promise<void> {
	const { signal, leaseMs = DEFAULT_LEASE_MS } = options;
	const watch = createLeaseWatch();
	while (!signal.aborted) {
		try {
			await holdOnce(options, watch, leaseMs);
		} catch (error) {
			options.log.warn({ err: error, singleton: options.name }, "lease lost");
		}
		await pause(leaseMs / BEATS_PER_LEASE, signal);
	}
}

async function holdOnce(
	{ sql, name, signal, whileHeld }: SingletonOptions,
	watch: LeaseWatch,
	leaseMs: number,
): Promise<void> {
	const token = uuidv7();
	const holder = await findHolder(sql, name, leaseMs);
	const [silent] = holder === undefined ? [] : watch.findSilent([holder]);
	if (holder !== undefined && silent === undefined) return;
	const askedAt = performance.now();
	if (!(await acquire(sql, name, token, leaseMs, silent))) return;
	const renewal = {
		leaseMs,
		askedAt,
		signal,
		renew: () => renew(sql, name, token, leaseMs),
	};
	try {
		await whileRenewed(renewal, whileHeld);
	} finally {
		await release(sql, name, token);
	}
}

async function findHolder(
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
async function acquire(
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

async function renew(
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

async function release(sql: Db, name: string, token: string): Promise<void> {
	await sql`
		delete from singletons
		where name = ${name}
		and token = ${token}
	`;
}
