import type { Db } from "@airtower/platform/database/database";
import {
	judgeReceipts,
	type ReceiptCounts,
	type ReceiptVerdict,
} from "../domain/receipts/judge-receipts.ts";
import { readEvery } from "../read-every.ts";
import {
	readPastReceipts,
	readRecentReceipts,
} from "../store/routes/receipt-history.ts";

/** The day before the recent minutes is read again after this time, ms. */
const READ_PAST_EVERY_MS = 60_000;
const NO_PAST: ReceiptCounts = { submitted: 0, ended: 0, receiptSeconds: 0 };

/** Reads whether the receipts of each route come, by route; one that is left out has had no submission lately. */
export type ReceiptJudge = (
	sql: Db,
) => Promise<ReadonlyMap<string, ReceiptVerdict>>;

export function createReceiptJudge(): ReceiptJudge {
	const readPasts = readEvery(READ_PAST_EVERY_MS, readPastReceipts);

	return async (sql) => {
		const pasts = await readPasts(sql);
		const recent = await readRecentReceipts(sql);
		return new Map(
			[...Map.groupBy(recent, ({ route }) => route)].map(([code, minutes]) => {
				const past = pasts.find(({ route }) => route === code) ?? NO_PAST;
				const now = minutes[0]?.now ?? new Date(0);
				return [code, judgeReceipts({ minutes, past }, now)];
			}),
		);
	};
}
