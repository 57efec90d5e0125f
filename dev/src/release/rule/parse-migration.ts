import { loadModule, type Node, parseSync, type RawStmt } from "libpg-query";

export interface Statement {
	/** As it stands in the file, without the comments above it. */
	readonly text: string;
	/** The comments and empty lines above it. */
	readonly above: string;
	readonly node: Node;
}

/** Statements of a file by PostgreSQL's own parser. Throws Error with its word where it cannot read one. */
export async function parseMigration(text: string): Promise<Statement[]> {
	await loadModule();
	const bytes = Buffer.from(text);
	let end = 0;
	return (parseSync(text).stmts ?? []).map((raw) => {
		const from = raw.stmt_location ?? 0;
		const above = bytes.toString("utf8", end, from);
		end = endOf(raw, bytes.length);
		return {
			text: bytes.toString("utf8", from, end).trim(),
			above,
			node: raw.stmt as Node,
		};
	});
}

/** The parser counts bytes, and gives no length where a statement goes to the end. */
function endOf({ stmt_location = 0, stmt_len = 0 }: RawStmt, end: number) {
	return stmt_len === 0 ? end : stmt_location + stmt_len;
}

/** Names of the columns that an expression mentions. */
export function columnsIn(expression: unknown): string[] {
	return nodesIn(expression, "ColumnRef").map((reference) => {
		const { fields } = reference as {
			fields?: { String?: { sval: string } }[];
		};
		return fields?.at(-1)?.String?.sval ?? "*";
	});
}

/** All nodes of a kind within another, at any depth. */
export function nodesIn(node: unknown, kind: string): unknown[] {
	if (typeof node !== "object" || node === null) return [];
	return Object.entries(node).flatMap(([key, value]) =>
		key === kind ? [value] : nodesIn(value, kind),
	);
}
