import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { filterRange } from "../../../schemas/filters.ts";
import {
	usageReport,
	usageReportQuery,
	usageSum,
} from "../../../schemas/reports.ts";
import { sendCsv, toCsv, wantsCsv } from "../../csv.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";
import { reportDays, toDay } from "./report-days.ts";

const columns = usageSum.keyof().options;

const operation = {
	method: "GET",
	url: "/reports/usage",
	config: { access: scopeAccess("account:read"), isCsvToo: true },
	schema: {
		operationId: "getUsageReport",
		tags: ["Reports"],
		summary: "Sum the usage ledger by day",
		description: [
			"By day of UTC, kind and channel, newest day first; days without an entry are left out. Exact at the moment of the",
			"request: the sums of all days are the balance. What is given back counts on the day on which it was given back.",
		].join(" "),
		querystring: usageReportQuery,
		response: { 200: usageReport },
	},
} as const;

export const getUsageReport: Routes = (app, { clients, nowMs }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			const { group_by, format, ...filters } = request.query;
			const range = reportDays(filterRange(filters), nowMs());
			const byCampaign = group_by === "campaign";
			const asked = { organizationId, byCampaign, ...range };
			const found = await clients.account.getUsageReport(asked);
			const sums = found.sums.map((sum) => toRecord(usageSum, sum));
			const date_from = toDay(range.dateFrom);
			const date_to = toDay(range.dateTo);
			if (!wantsCsv(request, format))
				return { success: true as const, date_from, date_to, sums };
			const table = toCsv(columns, sums);
			return sendCsv(reply, `usage-${date_from}-${date_to}.csv`, table);
		},
	});
};
