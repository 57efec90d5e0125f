import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { PageKey } from "@airtower/proto/common/v1/page";
import type { OptOut } from "@airtower/proto/messaging/v1/opt_outs";
import type { Clients } from "../../../clients.ts";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import {
	exportOptOutsReply,
	optOut,
	optOutColumns,
} from "../../../schemas/opt-outs.ts";
import { sendCsv, toCsvLine, toCsvLines } from "../../csv.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

/** Entries that are read at a time. */
const PAGE = 200;
/** Exports of one organization that run at a time in a process: each makes as many calls as its list has pages. */
const MOST_UNDER_WAY = 2;
const TOO_MANY = {
	code: "rate_limited",
	message:
		"Two exports of the organization are under way; begin another once one of them has ended.",
	retryAfterS: 5,
} as const;

const operation = {
	method: "GET",
	url: "/opt-outs/export",
	config: { access: scopeAccess("contacts:read") },
	schema: {
		operationId: "exportOptOuts",
		tags: ["Opt-outs"],
		summary: "Export opt-outs as CSV",
		description: [
			"All of the organization's, newest first, as they are while the table is read. Those whose number was erased are left",
			"out. `POST /opt-outs/import` takes the table, 10,000 lines at a time. Two exports run at a time; one more is 429.",
		].join(" "),
		produces: ["text/csv"],
		response: { 200: exportOptOutsReply },
	},
} as const;

export const exportOptOuts: Routes = (app, { clients }) => {
	const underWay = new Map<string, number>();

	/** Takes a place until the response is over. */
	function begin(organizationId: string, response: ServerResponse): void {
		const before = underWay.get(organizationId) ?? 0;
		if (before >= MOST_UNDER_WAY) throw new RefusalError(TOO_MANY);
		underWay.set(organizationId, before + 1);
		response.once("close", () => {
			const left = (underWay.get(organizationId) ?? 1) - 1;
			if (left > 0) underWay.set(organizationId, left);
			else underWay.delete(organizationId);
		});
	}

	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			begin(organizationId, reply.raw);
			const pages = readPages(clients.optOuts, organizationId);
			// A service that is away is an error with its status, not the end of a table that was begun.
			const first = await pages.next();
			const isHead = request.method === "HEAD";
			const table = Readable.from(
				isHead ? [] : toTable(first.value ?? [], pages),
			);
			table.once("error", () => breakOff(reply.raw));
			return sendCsv(reply, "opt-outs.csv", table);
		},
	});
};

/** Over HTTP/1.0, which some proxies speak, an orderly end would make what was sent the whole table. */
function breakOff({ headersSent, socket }: ServerResponse): void {
	if (headersSent) socket?.resetAndDestroy();
}

async function* toTable(
	first: readonly OptOut[],
	others: AsyncIterable<readonly OptOut[]>,
) {
	yield toCsvLine(optOutColumns) + toLines(first);
	for await (const page of others) yield toLines(page);
}

async function* readPages(
	optOuts: Clients["optOuts"],
	organizationId: string,
): AsyncGenerator<readonly OptOut[], undefined> {
	let after: PageKey | undefined;
	do {
		const page = { limit: PAGE, ...(after && { after }) };
		const found = await optOuts.listOptOuts({ organizationId, page });
		yield found.optOuts;
		after = found.next;
	} while (after !== undefined);
}

function toLines(page: readonly OptOut[]): string {
	return toCsvLines(
		optOutColumns,
		page
			.filter(({ recipient }) => recipient !== "")
			.map((one) => toRecord(optOut, one)),
	);
}
