import { type Db, transaction } from "@airtower/platform/database/database";
import type { Clock } from "@airtower/platform/runtime/clock";
import { fault } from "@airtower/platform/runtime/fault";
import type { Logger } from "@airtower/platform/runtime/log";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import { parkingDelayMs } from "./domain/parking-delay.ts";
import type { Receipt } from "./domain/receipt.ts";
import {
	type NumberedReceipt,
	type ReceiptEffects,
	receiptEffects,
} from "./domain/receipt-effects.ts";
import { endParts } from "./end-parts.ts";
import { MAX_SUBMIT_MS } from "./operators/operator.ts";
import type { FinishedMessage } from "./store/message-changes.ts";
import { firstIdAt } from "./store/partitions.ts";
import {
	insertReceipts,
	type MatchLimits,
	matchReceipts,
} from "./store/receipts.ts";
import type { Telemetry } from "./telemetry.ts";

interface ReceiptReporter {
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

export interface ReceiptIntakeOptions extends ReceiptReporter {
	readonly sql: Db;
	readonly clock: Clock;
}

export type ReceiptIntake = Batcher<Receipt, void>;

const MAX_BATCH = 500;
/** Batches of one process take turns: while one commits, the next one gathers. */
const MAX_IN_FLIGHT = 1;
const MAX_RAW_LENGTH = 4_000;
/** Parts of older messages are not looked for: validity (7 days at most) and the operator's delay, ms. */
const MATCH_AGE_MS = 10 * 24 * 3_600_000;
/** A response to a submit comes within this time, unless it is late, ms. */
const RESPONSE_WAIT_MS = MAX_SUBMIT_MS + 25_000;

export function matchLimits(now: Date): MatchLimits {
	return {
		firstId: firstIdAt(new Date(now.getTime() - MATCH_AGE_MS)),
		responseWaitMs: RESPONSE_WAIT_MS,
	};
}

/**
 * Applies receipts in batches; an added receipt resolves once what it says is durable. One transaction holds its
 * effects, and keeps those that find no part of their own yet.
 */
export function createReceiptIntake(
	options: ReceiptIntakeOptions,
): ReceiptIntake {
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
	const numbered = receipts.map((receipt, place) => ({
		...receipt,
		id: place + 1,
	}));
	const limits = matchLimits(options.clock());
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

/** Tells what became of receipts, once that is committed. */
export function reportReceipts(
	{ log, telemetry, onFinished }: ReceiptReporter,
	receipts: readonly (NumberedReceipt &
		Pick<Receipt, "operatorAccount" | "operatorMessageId">)[],
	{ done, unmatched, ambiguous }: ReceiptEffects,
	finished: readonly FinishedMessage[],
): void {
	telemetry.receipts.inc({ result: "applied" }, done.length);
	telemetry.receipts.inc({ result: "parked" }, unmatched.length);
	telemetry.receipts.inc({ result: "ambiguous" }, ambiguous.length);
	onFinished(finished);
	for (const { id, operatorAccount, operatorMessageId } of receipts)
		if (ambiguous.includes(id))
			log.error(
				{ operatorAccount, operatorMessageId },
				"a receipt names several messages; it is kept and not applied",
			);
}

/** Without what the database could not hold: one receipt must not keep the others of its batch out. */
function storable(receipt: Receipt): Receipt {
	return {
		...receipt,
		operatorMessageId: clean(receipt.operatorMessageId),
		matchKeys: receipt.matchKeys.map(clean),
		operatorError: clean(receipt.operatorError),
		raw: clean(receipt.raw).slice(0, MAX_RAW_LENGTH),
	};
}

function clean(text: string): string {
	return text.replaceAll("\0", "\u{FFFD}");
}
