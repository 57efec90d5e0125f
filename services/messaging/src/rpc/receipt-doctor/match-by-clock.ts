import { type Tx, transaction } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import {
	judgeReceipt,
	type WaitingPart,
} from "../../domain/receipts/judge-receipt.ts";
import {
	type DatedReceipt,
	matchByTime,
} from "../../domain/receipts/match-by-time.ts";
import { readParked } from "../../domain/receipts/parked-receipt.ts";
import { parkedMatchLimits } from "../../receipts/receive-receipts.ts";
import {
	lockReceiptsAfter,
	replayReceipts,
} from "../../store/receipts/parked-receipts.ts";
import { findWaitingParts } from "../../store/receipts/waiting-parts.ts";
import type { Account } from "./accounts.ts";
import {
	type ApplyStep,
	cursorAfter,
	recordStep,
	STEP,
	type StepResult,
} from "./apply-step.ts";
import { partsByKey } from "./parts-by-key.ts";

/** A message waits for so long to be submitted; ones that waited longer are not looked at, ms. */
const QUEUED_MS = 900_000;
/** Longer than two clocks differ by accident, ms. */
const SLACK_MS = 300_000;
/** Receipts whose messages were submitted within this time are looked at together, ms. */
const GROUP_MS = 600_000;
/** Parts that are read for one group, waiting or not. */
const MOST_PARTS = 200_000;

/** Gives receipts whose ids no part has the key of the one message whose number and time they name. */
export async function matchByClock(
	step: ApplyStep,
	own: Account,
	offsetMinutes: number,
): Promise<StepResult> {
	const { ctx, cursor } = step;
	const { account } = own;
	const after = cursor.at === "receipts" ? cursor.after : 0;
	const { firstId } = parkedMatchLimits(ctx);
	const { batch, matched } = await transaction(ctx.sql, async (sql) => {
		const batch = await lockReceiptsAfter(sql, account, after, STEP.receipts);
		const all = batch.receipts.map(readParked);
		const keys = all.map(({ matchKeys }) => matchKeys);
		const partsOf = await partsByKey(sql, account, keys, firstId);
		const stray = all.filter(
			(receipt) =>
				judgeReceipt(receipt, receipt.matchKeys, partsOf).kind === "unmatched",
		);
		const tried = await findTried(sql, account, stray, offsetMinutes);
		const found = matchByTime(tried.receipts, tried.parts, offsetMinutes);
		const rekeyed = [...found.parts].map(([id, { operatorKey }]) => ({
			id,
			account,
			matchKeys: [operatorKey],
		}));
		const matched = await replayReceipts(sql, rekeyed);
		await recordStep(sql, step, own, { receipts: matched });
		return { batch, matched };
	});
	return { receiptsReplayed: BigInt(matched), cursor: cursorAfter(batch) };
}

/**
 * Receipts and the parts that may have been submitted when they say; without those of times that have too many parts.
 */
async function findTried<Receipt extends DatedReceipt>(
	sql: Tx,
	account: string,
	all: readonly Receipt[],
	offsetMinutes: number,
) {
	const receipts: Receipt[] = [];
	const parts = new Map<string, WaitingPart>();
	for (const group of groupByTime(all, offsetMinutes)) {
		const span = {
			first: firstIdAt(new Date(group.earliest - QUEUED_MS - SLACK_MS)),
			before: firstIdAt(new Date(group.latest + SLACK_MS)),
		};
		const found = await findWaitingParts(sql, span, MOST_PARTS);
		if (found.since !== undefined) continue;
		receipts.push(...group.receipts);
		for (const part of found.parts)
			if (part.account === account)
				parts.set(`${part.messageId} ${part.number}`, part);
	}
	return { receipts, parts: [...parts.values()] };
}

interface TimeGroup<Receipt> {
	readonly receipts: Receipt[];
	/** By our clock, Unix times, ms. */
	readonly earliest: number;
	latest: number;
}

/** Receipts of messages that were submitted within a short time. */
function groupByTime<Receipt extends DatedReceipt>(
	receipts: readonly Receipt[],
	offsetMinutes: number,
): TimeGroup<Receipt>[] {
	const timed = receipts
		.flatMap((receipt) => {
			const { submitDate } = receipt;
			if (submitDate === undefined) return [];
			return [{ receipt, at: submitDate.getTime() - offsetMinutes * 60_000 }];
		})
		.toSorted((one, other) => one.at - other.at);
	const groups: TimeGroup<Receipt>[] = [];
	for (const { receipt, at } of timed) {
		const group = groups.at(-1);
		if (group === undefined || at - group.earliest > GROUP_MS)
			groups.push({ receipts: [receipt], earliest: at, latest: at });
		else {
			group.receipts.push(receipt);
			group.latest = at;
		}
	}
	return groups;
}
