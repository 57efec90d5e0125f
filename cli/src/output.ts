export type Cell = string | number | bigint | boolean | Date | undefined;

/** Values by snake_case name, in the order in which they are shown. */
export type Row = Readonly<Record<string, Cell>>;

/** What a command has to tell. */
export type Output =
	| {
			readonly kind: "rows";
			readonly rows: readonly Row[];
			/** Said to people in place of an empty table. */
			readonly whenEmpty: string;
			/** Said to people below the table. */
			readonly note?: string | undefined;
	  }
	| {
			readonly kind: "record";
			readonly record: Row;
			/** Tables that belong to the record, by name. */
			readonly tables?: Readonly<Record<string, readonly Row[]>>;
			/** True when not all was done that was asked for: exit code 1. */
			readonly failed?: boolean;
			/** Said to people below it. */
			readonly note?: string | undefined;
	  };

export function rows(
	list: readonly Row[],
	whenEmpty: string,
	note?: string,
): Output {
	return { kind: "rows", rows: list, whenEmpty, note };
}

export function record(
	one: Row,
	tables: Readonly<Record<string, readonly Row[]>> = {},
): Output {
	return { kind: "record", record: one, tables };
}
