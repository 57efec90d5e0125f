import type postgres from "postgres";
import { BOOLEAN_ARRAY, BYTEA_ARRAY, type Queryable } from "./database.ts";

type ColumnType =
	| "uuid"
	| "text"
	| "smallint"
	| "integer"
	| "bigint"
	| "float8"
	| "timestamptz"
	| "jsonb"
	| "boolean"
	| "bytea";

/** Types of columns that are named as the row's fields, `itemId` as `item_id`. */
export type Columns<Row> = {
	readonly [Field in keyof Row & string]?: ColumnType;
};

interface TableNames {
	/** Name of the table; "given" without it. */
	readonly as?: string;
	/** A last column: the row's ordinal in the list, from 1. */
	readonly ordinal?: string;
	/** Names of columns that are not named as their field is. */
	readonly names?: Readonly<Record<string, string>>;
}

/** Rows as a table of a statement: `from ${unnest(sql, rows, { itemId: "uuid" })}` has `given.item_id`. */
export function unnest<Row>(
	sql: Queryable,
	rows: readonly Row[],
	columns: Columns<Row>,
	{ as = "given", ordinal, names = {} }: TableNames = {},
): postgres.Fragment {
	const types = Object.entries(columns) as [keyof Row & string, ColumnType][];
	const lists = types.map(([field, type], nth) => {
		const values = rows.map((row) => row[field] ?? null);
		return sql`${sql.unsafe(nth === 0 ? "" : ", ")}${toList(sql, values, type)}`;
	});
	const named = types.map(([field]) => names[field] ?? toSnakeCase(field));
	const all = ordinal === undefined ? named : [...named, ordinal];
	const ordinality = ordinal === undefined ? "" : "with ordinality ";
	return sql`unnest(${lists}) ${sql.unsafe(`${ordinality}as ${as} (${all.join(", ")})`)}`;
}

/** The columns by name, in order: what an insert of `select *` from {@link unnest} names. */
export function toColumnList<Row>(
	sql: Queryable,
	columns: Columns<Row>,
): postgres.Fragment {
	return sql.unsafe(Object.keys(columns).map(toSnakeCase).join(", "));
}

function toList(sql: Queryable, values: readonly unknown[], type: ColumnType) {
	switch (type) {
		case "boolean":
			return sql`${sql.array(values as boolean[], BOOLEAN_ARRAY)}::boolean[]`;
		case "bytea":
			return sql`${sql.array(values as Buffer[], BYTEA_ARRAY)}::bytea[]`;
		case "jsonb":
			return sql`${values.map((value) => JSON.stringify(value))}::text[]::jsonb[]`;
		case "timestamptz":
			return sql`${(values as (Date | null)[]).map(toIso)}::timestamptz[]`;
		default:
			return sql`${values as string[]}::${sql.unsafe(`${type}[]`)}`;
	}
}

function toIso(date: Date | null): string | null {
	return date === null ? null : date.toISOString();
}

function toSnakeCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
