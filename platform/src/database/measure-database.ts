import type { Metrics } from "../runtime/metrics.ts";
import type { Db } from "./database.ts";

interface DatabaseState {
	readonly active: number;
	readonly idle: number;
	readonly inTransaction: number;
	/** Of the statement that has run longest, seconds. */
	readonly longestS: number;
	readonly deadRows: number;
	readonly bytes: number;
}

/** One statement: how long the pool takes to respond, and how the service's sessions and tables stand. */
export function createDatabaseMeter(
	sql: Db,
	metrics: Metrics,
	poolSize: number,
): () => Promise<number> {
	const responses = metrics.histogram(
		"database_response_seconds",
		"Time of a small statement, the wait for a connection of the pool included.",
	);
	const sessions = metrics.gauge(
		"database_sessions",
		"Sessions of all processes of the service, by state.",
		["state"],
	);
	const longest = metrics.gauge(
		"database_longest_statement_seconds",
		"Age of the oldest statement that any process of the service runs.",
	);
	const deadRows = metrics.gauge(
		"database_dead_rows",
		"Rows in the service's schema that wait for vacuum.",
	);
	const bytes = metrics.gauge(
		"database_schema_bytes",
		"Disk space of the tables and indexes in the service's schema.",
	);
	metrics
		.gauge("database_pool_size", "Most connections of this process.")
		.set(poolSize);
	return async () => {
		const endTimer = responses.startTimer();
		await sql`select 1`;
		endTimer();
		const state = await findDatabaseState(sql);
		sessions.set({ state: "active" }, state.active);
		sessions.set({ state: "idle" }, state.idle);
		sessions.set({ state: "in_transaction" }, state.inTransaction);
		longest.set(state.longestS);
		deadRows.set(state.deadRows);
		bytes.set(state.bytes);
		return 0;
	};
}

async function findDatabaseState(sql: Db): Promise<DatabaseState> {
	const [row] = await sql<[DatabaseState]>`
		select
			count(*) filter (where state = 'active') as active,
			count(*) filter (where state = 'idle') as idle,
			count(*) filter (where state like 'idle in transaction%') as "inTransaction",
			coalesce(
				max(extract(epoch from clock_timestamp() - query_start)) filter (where state = 'active'),
				0
			)::float8 as "longestS",
			(
				select coalesce(sum(n_dead_tup), 0)::bigint
				from pg_stat_user_tables
				where schemaname = current_schema()
			) as "deadRows",
			(
				select coalesce(sum(relpages), 0)::bigint * current_setting('block_size')::bigint
				from pg_class
				where relnamespace = current_schema()::regnamespace
				and relkind in ('r', 'i', 't')
			) as bytes
		from pg_stat_activity
		where usename = current_user
		and application_name = current_setting('application_name')
		and pid <> pg_backend_pid()
	`;
	return row;
}
