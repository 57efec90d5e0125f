import type { Db } from "../database.ts";

/** Statements that change rows, in batches. */
const BATCHED = ["INSERT", "UPDATE", "DELETE"];

const CONCURRENT_INDEX =
	/^create (?:unique )?index concurrently if not exists (\w+)/m;

/** The name of the index that a statement builds concurrently, as the runner reads it. */
export function concurrentIndexIn(statement: string): string | undefined {
	return CONCURRENT_INDEX.exec(statement)?.[1];
}

/**
 * Runs each of the statements that blank lines separate. One that changes rows is repeated until it changes none, so
 * it names a batch by `limit`. A run that ended in between, also by a crash, is made good by running all again: every
 * statement must bear that.
 */
export async function runStatements(sql: Db, text: string): Promise<void> {
	// An index of a large table takes hours, and nobody waits for it.
	await sql.unsafe("set statement_timeout = 0; set transaction_timeout = 0");
	for (const statement of text.split(/\n\s*\n/)) {
		const index = concurrentIndexIn(statement);
		if (index !== undefined) await dropIfInvalid(sql, index);
		await repeatUntilDone(sql, statement);
	}
}

async function repeatUntilDone(sql: Db, statement: string): Promise<void> {
	for (;;) {
		const { command, count } = await sql.unsafe(statement);
		if (!BATCHED.includes(command) || count === 0) return;
	}
}

/** What an interrupted build left behind serves no query and would pass for the index. */
async function dropIfInvalid(sql: Db, index: string): Promise<void> {
	const invalid = await sql`
		select
		from pg_index
		where indexrelid = to_regclass(${index})
		and not indisvalid
	`;
	if (invalid.count > 0) await sql`drop index concurrently ${sql(index)}`;
}
