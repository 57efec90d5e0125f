import type { Db } from "@airtower/platform/database/database";
import {
	judgeReceipts,
	type ReceiptCounts,
	type ReceiptVerdict,
} from "../domain/receipts/judge-receipts.ts";
import {
	readPastReceipts,
	readRecentReceipts,
} from "../store/routes/receipt-history.ts";

/** The day before the recent minutes is read again after this time, ms. */
const READ_PAST_EVERY_MS = 60_000;
const NO_PAST: ReceiptCounts = { submitted: 0, ended: 0, receiptSeconds: 0 };

/** Reads how the receipts of each route come, by route; one that is left out has had no submission lately. */
export type ReceiptJudge = () => Promise<ReadonlyMap<string, ReceiptVerdict>>;

export function createReceiptJudge(sql: Db): ReceiptJudge {
	let past = new Map<string, ReceiptCounts>();
	let pastReadAt = Number.NEGATIVE_INFINITY;

	return async () => {
		const now = performance.now();
		if (now - pastReadAt >= READ_PAST_EVERY_MS) {
			const rows = await readPastReceipts(sql);
			past = new Map(rows.map((row) => [row.route, row]));
			pastReadAt = now;
		}
		const recent = Map.groupBy(
			await readRecentReceipts(sql),
			({ route }) => route,
		);
		return new Map(
			[...recent].map(([route, minutes]) => [
				route,
				judgeReceipts(
					{ minutes, past: past.get(route) ?? NO_PAST },
					minutes[0]?.now ?? new Date(0),
				),
			]),
		);
	};
}
