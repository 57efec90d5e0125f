import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";

const CSV_TYPE = "text/csv; charset=utf-8";

/** What a spreadsheet would take for a formula (OWASP, CSV injection); a number is none. */
const FORMULA = /^[=+\-@\t\r](?!\d+$)/;

type Cell = string | number | boolean | null;

/** True when the query asks for CSV, or does not say and `Accept` names it without JSON. */
export function wantsCsv(
	{ headers }: Pick<FastifyRequest, "headers">,
	format: "json" | "csv" | undefined,
): boolean {
	const { accept = "" } = headers;
	if (format !== undefined) return format === "csv";
	return /\btext\/csv\b/i.test(accept) && !/\bjson\b/i.test(accept);
}

/** The part of a reply that a table needs, whatever responses its route declares. */
interface AnyReply {
	header(name: string, value: string): unknown;
	serializer(serialize: (payload: string) => string): unknown;
	send(payload: unknown): unknown;
}

/** Sends a table in place of the route's JSON. */
export function sendCsv<Reply extends AnyReply>(
	reply: Reply,
	fileName: string,
	table: string | Readable,
): Reply {
	reply.header("content-type", CSV_TYPE);
	reply.header("content-disposition", `attachment; filename="${fileName}"`);
	reply.serializer((payload) => payload);
	reply.send(table);
	return reply;
}

/** A table with a line of names, as RFC 4180 says; null is an empty cell. */
export function toCsv<Name extends string>(
	names: readonly Name[],
	rows: readonly Readonly<Record<Name, Cell>>[],
): string {
	return toCsvLine(names) + toCsvLines(names, rows);
}

/** The lines below that of the names. */
export function toCsvLines<Name extends string>(
	names: readonly Name[],
	rows: readonly Readonly<Record<Name, Cell>>[],
): string {
	return rows.map((row) => toCsvLine(names.map((name) => row[name]))).join("");
}

export function toCsvLine(cells: readonly Cell[]): string {
	return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: Cell): string {
	const given = value === null ? "" : String(value);
	const text = FORMULA.test(given) ? `'${given}` : given;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
