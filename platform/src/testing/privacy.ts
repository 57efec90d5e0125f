import type { Db } from "../database/database.ts";
import type { ErasableTable, Subject } from "../privacy/erasable-table.ts";
import { eraseFrom } from "../privacy/erase.ts";
import { insertErasure } from "../privacy/erasures.ts";
import { uuidv7 } from "../runtime/ids.ts";

/** Erases a subject to the end; returns the rows that were erased and those that are pending, of all tables. */
export async function eraseAll(
	sql: Db,
	tables: readonly ErasableTable[],
	subject: Partial<Subject>,
): Promise<{ erased: number; pending: number }> {
	const id = uuidv7();
	await insertErasure(sql, {
		id,
		maskedPhone: "",
		organizationId: null,
		requestedBy: "test",
	});
	const whole = { phone: undefined, organizationId: undefined, ...subject };
	const sum = { erased: 0, pending: 0 };
	let cursor = "";
	do {
		const part = await eraseFrom(sql, tables, id, whole, cursor);
		for (const { erased, pending } of part.tables) {
			sum.erased += erased;
			sum.pending += pending;
		}
		cursor = part.nextCursor;
	} while (cursor !== "");
	return sum;
}

/** Names of the tables of a schema in which a row contains this text, also within bytes. */
export async function tablesWith(sql: Db, text: string): Promise<string[]> {
	const tables = await sql<{ name: string }[]>`
		select relname as name
		from pg_class
		where relnamespace = current_schema()::regnamespace
		and relkind = 'r'
		order by relname
	`;
	const bytes = Buffer.from(text).toString("hex");
	const found: string[] = [];
	for (const { name } of tables) {
		const rows = await sql`
			select
			from ${sql(name)} as one
			where position(${text} in one::text) > 0
			or position(${bytes} in one::text) > 0
			limit 1
		`;
		if (rows.length > 0) found.push(name);
	}
	return found;
}
