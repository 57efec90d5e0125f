import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";

const SERVERS_OWN = ["pg_catalog", "information_schema", "pg_toast"];

/** Bytes of the log written so far, and of the tables of each schema with their indexes. */
export async function readDatabaseBytes(
	sql: Sql,
): Promise<Map<string, number>> {
	const [log] = await sql<[{ bytes: string }]>`
		select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes
	`;
	const schemas = await sql<{ name: string; bytes: string }[]>`
		select nspname as name, sum(pg_total_relation_size(pg_class.oid)) as bytes
		from pg_class
		join pg_namespace on pg_namespace.oid = relnamespace
		where relkind in ('r', 'm')
		and not nspname = any (${SERVERS_OWN})
		group by nspname
		order by nspname
	`;
	return new Map([
		["write-ahead log", Number(log.bytes)],
		...schemas.map(
			({ name, bytes }) => [`tables of ${name}`, Number(bytes)] as const,
		),
	]);
}

/** Bytes in the broker's logs; its indexes are made at their full size, so they are left out. */
export async function readBrokerBytes(dataDir: string): Promise<number> {
	const folder = join(dataDir, "kafka");
	const entries = await readdir(folder, {
		withFileTypes: true,
		recursive: true,
	});
	const logs = entries.filter(
		(entry) => entry.isFile() && entry.name.endsWith(".log"),
	);
	const sizes = logs.map(({ parentPath, name }) =>
		stat(join(parentPath, name)).then(({ size }) => size),
	);
	return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
