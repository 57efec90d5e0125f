import {
	BOOLEAN_ARRAY,
	BYTEA_ARRAY,
	type Queryable,
} from "@airtower/platform/database/database";

type ColumnType =
	| "uuid"
	| "text"
	| "integer"
	| "float8"
	| "timestamptz"
	| "jsonb"
	| "boolean"
	| "bytea";

/** Rows as the table `given` of a statement: `from ${unnest(sql, rows, { itemId: "uuid" })}` has `given.item_id`. */
export function unnest<Row>(
	sql: Queryable,
	rows: readonly Row[],
	columns: { readonly [Field in keyof Row & string]?: ColumnType },
) {
	const fields = Object.keys(columns) as (keyof Row & string)[];
	const lists = fields.map((field, nth) => {
		const type = columns[field] ?? "text";
		const values = rows.map((row) => row[field]);
		return sql`${sql.unsafe(nth === 0 ? "" : ",")} ${toList(sql, values, type)}`;
	});
	const names = fields.map(toSnakeCase).join(", ");
	return sql`unnest(${lists}) as given (${sql.unsafe(names)})`;
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
