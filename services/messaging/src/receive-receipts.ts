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
import { receiptEffects } from "./domain/receipt-effects.ts";
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

export interface ReceiptIntakeOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly clock: Clock;
	readonly telemetry: Telemetry;
	/** Told of the messages that receipts have ended. */
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

export type ReceiptIntake = Batcher<Receipt, void>;

const MAX_BATCH = 500;
/** Batches of one process take turns: while one commits, the next one gathers. */
const MAX_IN_FLIGHT = 1;
/** Longest text kept of a receipt, characters. */
const MAX_RAW_LENGTH = 4_000;
/** Parts of older messages are not looked for: validity (7 days at most) and the operator's delay, ms. */
const MATCH_AGE_MS = 10 * 24 * 3_600_000;
/** A response to a submit comes within this time, unless it is late, ms. */
const RESPONSE_WAIT_MS = MAX_SUBMIT_MS + 25_000;

/** Where parts of receipts are looked for. */
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
	{ sql, log, clock, telemetry, onFinished }: ReceiptIntakeOptions,
	receipts: readonly Receipt[],
): Promise<void> {
	const numbered = receipts.map((receipt, place) => ({
		...receipt,
		id: place + 1,
	}));
	const { effects, ambiguous, finished } = await transaction(
		sql,
		async (sql) => {
			const matches = await matchReceipts(sql, receipts, matchLimits(clock()));
			const effects = receiptEffects(numbered, matches);
			const pick = (ids: readonly number[]) =>
				numbered.filter(({ id }) => ids.includes(id));
			const [unmatched, ambiguous] = [
				pick(effects.unmatched),
				pick(effects.ambiguous),
			];
			const finished = await endParts(sql, effects.ends);
			await insertReceipts(sql, [
				...unmatched.map((one) => ({ ...one, delayMs: parkingDelayMs(0) })),
				...ambiguous.map((one) => ({ ...one, delayMs: null })),
			]);
			return { effects, ambiguous, finished };
		},
	);
	fault("messaging.after_receipts");
	telemetry.countReceipts(effects);
	onFinished(finished);
	logAmbiguous(log, ambiguous);
}

/** Nothing is guessed: somebody has to look at these. */
export function logAmbiguous(
	log: Logger,
	receipts: readonly Pick<Receipt, "operatorAccount" | "operatorMessageId">[],
): void {
	for (const { operatorAccount, operatorMessageId } of receipts)
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
