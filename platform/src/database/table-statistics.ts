import type { Logger } from "../runtime/log.ts";
import { type Loop, runLoop } from "../runtime/loop.ts";
import type { Db } from "./database.ts";

/** How often to look, ms: the server itself looks once a minute, and a table may grow by 100,000 rows meanwhile. */
const ANALYZE_EVERY_MS = 2_000;
/** A plan is good until its table has grown so many times over. */
const GROWTH = 8;
/** What a small table has grown from, pages: 16 kB. */
const FEWEST_PAGES = 2;
/** Tables of more pages, 512 MB, are left to the server: in a minute they grow by a fraction. */
const MOST_PAGES = 65_536;

/** Keeps the planner's idea of how large the tables of a service are in step with them, see {@link analyzeGrownTables}. */
export function keepStatistics({
	sql,
	...options
}: {
	readonly sql: Db;
	readonly log: Logger;
	readonly signal: AbortSignal;
}): Loop {
	return runLoop({
		...options,
		name: "table-statistics",
		intervalMs: ANALYZE_EVERY_MS,
		runOnce: async () => {
			await analyzeGrownTables(sql);
			return 0;
		},
	});
}

/**
 * Has the server count the rows of the tables in the connection's schema that have grown many times over since it
 * last did; answers their names. A cached plan is kept until then: one made for a single row may read the whole
 * table, for each row of a batch. A table that somebody else counts is left out. Tables must be the role's own.
 */
export async function analyzeGrownTables(sql: Db): Promise<string[]> {
	const grown = await sql<{ name: string }[]>`
		select oid::regclass::text as name
		from (
			select
				oid,
				relpages,
				pg_relation_size(oid) / current_setting('block_size')::int as pages
			from pg_class
			where relnamespace = current_schema()::regnamespace
			and relkind = 'r'
		) as counted
		where pages > ${GROWTH} * greatest(relpages, ${FEWEST_PAGES})
		and pages <= ${MOST_PAGES}
	`;
	for (const { name } of grown)
		await sql.unsafe(`analyze (skip_locked) ${name}`);
	return grown.map(({ name }) => name);
}
