import { publicDeliverySum } from "@airtower/proto/rules/delivery-sum";
import type { z } from "zod";
import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { filterRange } from "../../../schemas/filters.ts";
import {
	deliveryReport,
	deliveryReportQuery,
	deliverySum,
} from "../../../schemas/reports.ts";
import { sendCsv, toCsv, wantsCsv } from "../../csv.ts";
import type { Routes } from "../../routes.ts";
import { reportDays, toDay } from "./report-days.ts";

const columns = deliverySum.keyof().options;

const operation = {
	method: "GET",
	url: "/reports/delivery",
	config: { access: scopeAccess("account:read"), isCsvToo: true },
	schema: {
		operationId: "getDeliveryReport",
		tags: ["Reports"],
		summary: "Count messages and what became of them",
		description: [
			"Of the messages that were accepted in these days of UTC, 31 at most; a message that ends later changes the line of the",
			"day on which it was accepted. Each message counts once, seconds after it was accepted or has ended. Hours and days come newest",
			"first, other values with most messages first. A message that was moved counts under its last route.",
			"A report that would have more than 5,000 lines is refused: ask for fewer days.",
		].join(" "),
		querystring: deliveryReportQuery,
		response: { 200: deliveryReport },
	},
} as const;

export const getDeliveryReport: Routes = (app, { clients, nowMs }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			const { group_by, channel = "", format, ...filters } = request.query;
			const range = reportDays(filterRange(filters), nowMs());
			const asked = { organizationId, groupBy: group_by, channel, ...range };
			const found = await clients.account.getDeliveryReport(asked);
			const sums: Sum[] = found.sums.map(publicDeliverySum);
			const date_from = toDay(range.dateFrom);
			const date_to = toDay(range.dateTo);
			if (!wantsCsv(request, format))
				return { success: true as const, date_from, date_to, sums };
			const table = toCsv(columns, sums.map(toRow));
			const name = `delivery-${group_by}-${date_from}-${date_to}.csv`;
			return sendCsv(reply, name, table);
		},
	});
};

type Sum = z.output<typeof deliverySum>;

/** A cell has a list as `expired 3; rejected 1` or `EUR 49.5`. */
function toRow({ failures, costs, ...sum }: Sum) {
	return {
		...sum,
		failures: failures.map((one) => `${one.reason} ${one.messages}`).join("; "),
		costs: costs.map((one) => `${one.currency} ${one.amount}`).join("; "),
	};
}
