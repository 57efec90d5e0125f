import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountService } from "@airtower/proto/accounts/v1/account";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { readDelivery, reportTooLarge } from "../read-delivery.ts";
import type { ReportRange } from "../store/report-counts.ts";
import type { Handler } from "./handler.ts";

const DAY_MS = 86_400_000;
/** Days of one report. */
const MAX_DAYS = 31;

export const getDeliveryReport: Handler<
	typeof AccountService.method.getDeliveryReport
> = async (ctx, request, context) => {
	const { organizationId, groupBy, channel } = request;
	assertOrganization(context, organizationId);
	const from = beginOfDay(request.dateFrom);
	const to = beginOfDay(request.dateTo);
	if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
		throw reportTooLarge(`covers more than ${MAX_DAYS} days`);
	const range = {
		from,
		to,
		groupBy: groupBy as ReportRange["groupBy"],
		channel: channel === "" ? undefined : (channel as ReportRange["channel"]),
	};
	return { sums: await readDelivery(ctx.sql, organizationId, range) };
};

/** Of UTC. */
function beginOfDay(time: Timestamp | undefined): Date {
	if (time === undefined) throw new Error("The contract requires the time.");
	const ms = timestampMs(time);
	return new Date(Math.floor(ms / DAY_MS) * DAY_MS);
}
