import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

export type Cell = string | number | bigint | boolean | Date | undefined;

/** Values by snake_case name, in the order in which they are shown. */
export type Row = Readonly<Record<string, Cell>>;

export interface Output {
	/** A table, or one thing with the tables that belong to it. */
	readonly content:
		| readonly Row[]
		| Readonly<Record<string, Cell | readonly Row[]>>;
	/** Said to people in place of an empty table. */
	readonly whenEmpty?: string;
	readonly note?: string | undefined;
	/** True when not all was done that was asked for: exit code 1. */
	readonly failed?: boolean;
}

/** Fields of a message that a table can show. */
type FieldOf<Message> = string &
	{
		[Name in keyof Message]: Message[Name] extends Cell | Timestamp
			? Name
			: never;
	}[keyof Message];

/** Fields of a message under their snake_case names; all are absent when the message is. */
export function toRow<Message extends object>(
	message: Message | undefined,
	...fields: readonly FieldOf<Message>[]
): Row {
	return Object.fromEntries(
		fields.map((field) => [
			field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			toCell(message?.[field] as Cell | Timestamp),
		]),
	);
}

function toCell(value: Cell | Timestamp): Cell {
	return typeof value === "object" && "$typeName" in value
		? timestampDate(value)
		: value;
}
