import type {
	AddOptOutsResponse,
	RefusedOptOut,
} from "@airtower/proto/messaging/v1/opt_outs";
import { scopeAccess } from "../../../domain/access.ts";
import { type Detail, RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import {
	importOptOutsBody,
	importOptOutsReply,
	optOutColumns,
} from "../../../schemas/opt-outs.ts";
import { type CsvRow, readCsv } from "../../read-csv.ts";
import type { Routes } from "../../routes.ts";

/** Entries of one import: so many the service adds in one transaction. */
const MAX_ROWS = 10_000;
/** A hundred for each entry, bytes. */
const BODY_LIMIT_BYTES = 1_048_576;
/** Longest wait for all entries and their events to be stored, ms. */
const IMPORT_TIMEOUT_MS = 25_000;

type Entry = CsvRow<(typeof optOutColumns)[number]>;

const operation = {
	method: "POST",
	url: "/opt-outs/import",
	bodyLimit: BODY_LIMIT_BYTES,
	config: { access: scopeAccess("contacts:write"), csvField: "csv" },
	schema: {
		operationId: "importOptOuts",
		tags: ["Opt-outs"],
		summary: "Import opt-outs as CSV",
		description: [
			`Lists all numbers of a table, up to 10,000 entries and 1 MiB at a time, or none of them: where a line is refused the error names it, as`,
			"`csv.<line>.<column>`. A body of the type `text/csv` is the table itself. An export of another organization is taken as it is; a second import of the same table adds",
			"nothing. Each number that is new on the list is a `recipient.opted_out` event. Nobody is told by SMS.",
		].join(" "),
		body: importOptOutsBody,
		response: { 200: importOptOutsReply },
	},
} as const;

export const importOptOuts: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId, defaultCountry } = callerOf(request);
			const entries = readEntries(request.body.csv);
			const response = await clients.optOuts.addOptOuts(
				{
					organizationId,
					defaultCountry,
					optOuts: entries.map(({ cells }) => ({
						recipient: cells.recipient,
						sender: cells.sender,
					})),
					source: "import",
					allOrNothing: true,
					...request.idempotent,
				},
				{ timeoutMs: IMPORT_TIMEOUT_MS },
			);
			refuseIfAny(response, entries);
			markReplay(reply, response.replayed);
			const { added, known: alreadyListed } = response;
			return { success: true as const, added, alreadyListed };
		},
	});
};

function readEntries(csv: string): readonly Entry[] {
	const read = readCsv(csv, optOutColumns, ["recipient"], MAX_ROWS);
	if ("problem" in read) {
		const { line, problem } = read;
		throw refuse([
			{ field: `csv.${line}`, code: "invalid_format", message: problem },
		]);
	}
	const { rows } = read;
	if (rows.length === 0)
		throw refuse([
			{
				field: "csv",
				code: "too_short",
				message:
					"'csv' must have at least one line below the names of its columns.",
			},
		]);
	if (rows.length > MAX_ROWS)
		throw refuse([
			{
				field: "csv",
				code: "too_long",
				message: `'csv' has more than ${MAX_ROWS} entries; import at most so many at a time.`,
			},
		]);
	return rows;
}

function refuseIfAny(
	{ refused, refusedCount }: AddOptOutsResponse,
	entries: readonly Entry[],
): void {
	if (refusedCount === 0) return;
	throw refuse(
		refused.map((one) => toDetail(one, entries[one.index]?.line ?? 0)),
	);
}

function toDetail({ reason }: RefusedOptOut, line: number): Detail {
	if (reason === "invalid_sender_id")
		return {
			field: `csv.${line}.sender`,
			code: reason,
			message: `'sender' in line ${line} is not the value of a sender ID.`,
		};
	return {
		field: `csv.${line}.recipient`,
		code: "invalid_phone_number",
		message: `'recipient' in line ${line} is not a valid phone number; use the international form, for example +33612345678.`,
	};
}

function refuse(details: readonly Detail[]): RefusalError {
	return new RefusalError({ code: "validation_failed", details });
}
