import { transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import type { CommonContext } from "../context.ts";
import type { Receipt } from "../domain/receipts/receipt.ts";
import {
	parkingDelayMs,
	receiptEffects,
} from "../domain/receipts/receipt-effects.ts";
import { MAX_AHEAD_MS } from "../domain/send-time.ts";
import { MAX_SUBMIT_MS } from "../operators/operator.ts";
import {
	type MatchLimits,
	matchReceipts,
} from "../store/receipts/receipt-matches.ts";
import { insertReceipts } from "../store/receipts/receipts.ts";
import {
	endParts,
	type ReceiptReporter,
	reportReceipts,
} from "./apply-effects.ts";

export interface ReceiptIntakeOptions
	extends ReceiptReporter,
		Pick<CommonContext, "sql" | "clock" | "limits"> {}

const MAX_BATCH = 500;
const MAX_IN_FLIGHT = 1;
const MAX_RAW_LENGTH = 4_000;
/** Parts of older messages are not looked for, ms; longer when a message may wait longer for its receipt. */
const MATCH_AGE_MS = 10 * 24 * 3_600_000;
const RESPONSE_WAIT_MS = MAX_SUBMIT_MS + 25_000;

/** For receipts that matched nothing as they came: they may be of messages that were scheduled. */
export function parkedMatchLimits(
	ctx: Pick<CommonContext, "clock" | "limits">,
): MatchLimits {
	return matchLimits(ctx, MAX_AHEAD_MS);
}

function matchLimits(
	{
		clock,
		limits: { validityMs, noReceiptMs },
	}: Pick<CommonContext, "clock" | "limits">,
	aheadMs: number,
): MatchLimits {
	const ageMs = aheadMs + Math.max(MATCH_AGE_MS, validityMs + noReceiptMs);
	return {
		firstId: firstIdAt(new Date(clock().getTime() - ageMs)),
		responseWaitMs: RESPONSE_WAIT_MS,
	};
}

/** An added receipt resolves once what it says is durable: its effects, or the receipt itself. */
export function createReceiptIntake(
	options: ReceiptIntakeOptions,
): Batcher<Receipt, void> {
	return createBatcher<Receipt, void>({
		maxItems: MAX_BATCH,
		maxInFlight: MAX_IN_FLIGHT,
		flush: async (receipts) => {
			await receive(options, receipts.map(storable));
			return receipts.map(() => undefined);
		},
	});
}

async function receive(
	options: ReceiptIntakeOptions,
	receipts: readonly Receipt[],
): Promise<void> {
	const numbered = receipts.map((receipt, index) => ({
		...receipt,
		id: index + 1,
	}));
	const limits = matchLimits(options, 0);
	const { effects, finished } = await transaction(options.sql, async (sql) => {
		const matches = await matchReceipts(sql, receipts, limits);
		const effects = receiptEffects(numbered, matches);
		const [unmatched, ambiguous] = [effects.unmatched, effects.ambiguous].map(
			(ids) => numbered.filter(({ id }) => ids.includes(id)),
		);
		const finished = await endParts(sql, effects.ends);
		await insertReceipts(sql, [
			...park(unmatched, parkingDelayMs(0)),
			...park(ambiguous, null),
		]);
		return { effects, finished };
	});
	fault("messaging.after_receipts");
	reportReceipts(options, numbered, effects, finished);
}

function park(receipts: readonly Receipt[] = [], delayMs: number | null) {
	return receipts.map((receipt) => ({ ...receipt, delayMs }));
}

/** Without what the database could not hold: one receipt must not keep the others of its batch out. */
function storable(receipt: Receipt): Receipt {
	return {
		...receipt,
		operatorMessageId: clean(receipt.operatorMessageId),
		matchKeys: receipt.matchKeys.map(clean),
		addresses: receipt.addresses.map(clean),
		operatorError: clean(receipt.operatorError),
		raw: clean(receipt.raw).slice(0, MAX_RAW_LENGTH),
	};
}

function clean(text: string): string {
	return text.replaceAll("\0", "\u{FFFD}");
}
