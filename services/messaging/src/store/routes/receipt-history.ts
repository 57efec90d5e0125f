import type { Queryable } from "@airtower/platform/database/database";
import {
	type MinuteCounts,
	RECENT_MS,
	type ReceiptCounts,
} from "../../domain/receipts/judge-receipts.ts";

type OfRoute<Counts> = Counts & { readonly route: string };

/** The day before the recent minutes. */
const PAST_MS = 24 * 3_600_000;

/** What each route did on the day before the recent minutes, those left out to which nothing was submitted. */
export async function readPastReceipts(
	sql: Queryable,
): Promise<OfRoute<ReceiptCounts>[]> {
	return sql<OfRoute<ReceiptCounts>[]>`
		select
			route,
			sum(submitted)::float8 as submitted,
			sum(delivered + failed)::float8 as ended,
			sum(receipt_seconds) as "receiptSeconds"
		from route_minutes
		where minute >= now() - ${RECENT_MS + PAST_MS} * interval '1 millisecond'
		and minute < now() - ${RECENT_MS} * interval '1 millisecond'
		group by route
	`;
}

/** The recent minutes of all routes, newest first, each with the database's time. */
export async function readRecentReceipts(
	sql: Queryable,
): Promise<OfRoute<MinuteCounts & { readonly now: Date }>[]> {
	return sql<OfRoute<MinuteCounts & { readonly now: Date }>[]>`
		select
			route,
			minute,
			submitted,
			delivered + failed as ended,
			receipt_seconds as "receiptSeconds",
			now() as now
		from route_minutes
		where minute >= now() - ${RECENT_MS} * interval '1 millisecond'
		order by minute desc
	`;
}
