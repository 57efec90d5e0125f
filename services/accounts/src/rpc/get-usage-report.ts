import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type { AccountService } from "@airtower/proto/accounts/v1/account";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { listLedgerSums } from "../store/ledger-sums.ts";
import { CHANNEL_OF_GRANTS } from "./channel-of-grants.ts";
import type { Handler } from "./handler.ts";

/** Rows of one report. */
const MAX_ROWS = 10_000;

export const getUsageReport: Handler<
	typeof AccountService.method.getUsageReport
> = async (ctx, request, context) => {
	const { organizationId, dateFrom, dateTo, byCampaign } = request;
	assertOrganization(context, organizationId);
	const rows = await listLedgerSums(
		ctx.sql,
		organizationId,
		{ first: dayFrom(dateFrom), end: dayFrom(dateTo) },
		{ byCampaign, limit: MAX_ROWS + 1 },
	);
	if (rows.length > MAX_ROWS)
		throw invalid(
			"report_too_large",
			"date_from",
			`The report would have more than ${MAX_ROWS} rows: ask for fewer days.`,
		);
	return {
		sums: rows.map(({ units, entries, ...row }) => ({
			...row,
			channel: row.channel ?? CHANNEL_OF_GRANTS,
			campaignId: row.campaignId ?? "",
			units: BigInt(units),
			entries: BigInt(entries),
		})),
	};
};

/** The day of UTC, YYYY-MM-DD. */
function dayFrom(time: Timestamp | undefined): string {
	if (time === undefined) throw new Error("The contract requires the time.");
	return timestampDate(time).toISOString().slice(0, 10);
}
