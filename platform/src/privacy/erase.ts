import { type Db, transaction } from "../database/database.ts";
import { type DomainError, notFound } from "../runtime/domain-error.ts";
import type { ErasableTable, ErasedStep, Subject } from "./erasable-table.ts";
import { addToErasure, finishErasure } from "./erasures.ts";

/** After this time no further step of the database begins in one call, ms. */
const CALL_MS = 5_000;

/** Where the next step begins. */
interface Position {
	readonly table: ErasableTable;
	readonly after: string;
}

export interface ErasedRows {
	readonly table: string;
	readonly erased: number;
	readonly pending: number;
}

interface ErasedPart {
	readonly tables: readonly ErasedRows[];
	/** Empty when all is done. */
	readonly nextCursor: string;
}

/**
 * Erases for some seconds from the cursor on, each step with its record in a transaction of its own: what a crash
 * leaves is done by repeating it. Throws not_found `unknown_erasure`.
 */
export async function eraseFrom(
	sql: Db,
	tables: readonly ErasableTable[],
	erasureId: string,
	subject: Subject,
	cursor: string,
): Promise<ErasedPart> {
	const rows = new Map<string, ErasedRows>();
	const deadline = performance.now() + CALL_MS;
	let position = parseCursor(tables, cursor);
	while (position !== undefined && performance.now() < deadline) {
		const { table, after } = position;
		const step = await transaction(sql, async (sql) => {
			const step = await table.erase(sql, subject, after);
			if (!(await addToErasure(sql, erasureId, table.name, step)))
				throw unknownErasure();
			return step;
		});
		rows.set(table.name, add(table.name, rows.get(table.name), step));
		position = nextPosition(tables, table, step);
	}
	if (position === undefined) await finishErasure(sql, erasureId);
	return { tables: [...rows.values()], nextCursor: toCursor(position) };
}

function add(
	table: string,
	before: ErasedRows | undefined,
	{ erased, pending }: ErasedStep,
): ErasedRows {
	return {
		table,
		erased: erased + (before?.erased ?? 0),
		pending: pending + (before?.pending ?? 0),
	};
}

function nextPosition(
	tables: readonly ErasableTable[],
	table: ErasableTable,
	{ next }: ErasedStep,
): Position | undefined {
	if (next !== undefined) return { table, after: next };
	const following = tables[tables.indexOf(table) + 1];
	return following && { table: following, after: "" };
}

function toCursor(position: Position | undefined): string {
	return position === undefined
		? ""
		: `${position.table.name}:${position.after}`;
}

function parseCursor(
	tables: readonly ErasableTable[],
	cursor: string,
): Position | undefined {
	const [name = "", after = ""] = cursor.split(":");
	const table =
		cursor === "" ? tables[0] : tables.find((one) => one.name === name);
	return table && { table, after };
}

function unknownErasure(): DomainError {
	return notFound(
		"unknown_erasure",
		"There is no such erasure, or it is over.",
	);
}
