import { type Tx, transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { Logger } from "@airtower/platform/runtime/log";
import {
	type Batcher,
	createBatcher,
} from "@airtower/platform/work/micro-batcher";
import type { CommonContext } from "../context.ts";
import { longMessageEnd, singleMessageEnd } from "../domain/message-state.ts";
import { toErrorText, withoutNul } from "../domain/operator-text.ts";
import {
	type NumberedReceipt,
	type PartEnd,
	parkingDelayMs,
	type Receipt,
	type ReceiptEffects,
	receiptEffects,
} from "../domain/receipts/receipt.ts";
import { MAX_AHEAD_MS } from "../domain/send-time.ts";
import { MAX_SUBMIT_MS } from "../operators/operator.ts";
import { publishOutcomes, type RouteCosts } from "../publish-outcomes.ts";
import type { RouteTraffic } from "../route-traffic.ts";
import { deleteDispatch } from "../store/dispatch/dispatch-settles.ts";
import {
	type FinishedMessage,
	finishMessages,
	lockMessages,
	recordAttempts,
} from "../store/message-updates.ts";
import { findPartsProgress, finishParts } from "../store/parts.ts";
import {
	type MatchLimits,
	matchReceipts,
} from "../store/receipts/receipt-matches.ts";
import { insertReceipts } from "../store/receipts/receipts.ts";
import type { Telemetry } from "../telemetry.ts";

interface ReceiptReporter {
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly traffic: RouteTraffic;
	readonly routes: RouteCosts;
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

interface ReceiptIntakeOptions
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
		const finished = await endParts(sql, effects.ends, options.routes);
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
		operatorMessageId: withoutNul(receipt.operatorMessageId),
		matchKeys: receipt.matchKeys.map(withoutNul),
		addresses: receipt.addresses.map(withoutNul),
		operatorError: toErrorText(receipt.operatorError),
		raw: withoutNul(receipt.raw).slice(0, MAX_RAW_LENGTH),
	};
}

/** Ends parts as their receipts say, the messages that have ended by it, and records their outcomes. */
export async function endParts(
	sql: Tx,
	ends: readonly PartEnd[],
	routes: RouteCosts,
): Promise<FinishedMessage[]> {
	if (ends.length === 0) return [];
	const single = ends.filter((end) => end.partCount === 1 && !end.isLate);
	const stored = ends.filter((end) => end.partCount > 1 || end.isLate);
	const long = ends.filter((end) => end.partCount > 1);
	const longIds = [...new Set(long.map((end) => end.messageId))];
	const [, , progress] = await Promise.all([
		lockMessages(sql, longIds),
		finishParts(sql, stored),
		findPartsProgress(sql, longIds),
	]);
	const longEnds = progress.flatMap((one) => longMessageEnd(one, long) ?? []);
	const finished = await finishMessages(sql, [
		...single.map(singleMessageEnd),
		...longEnds,
	]);
	// A part that failed ends its message while others of it may still wait to be sent, or be on their way.
	const failed = longEnds.filter((end) => end.status === "failed");
	const ids = failed.map((end) => end.id);
	await recordAttempts(sql, await deleteDispatch(sql, ids));
	await publishOutcomes(sql, finished, routes, "receipt");
	return finished;
}

/** Tells what became of receipts, once that is committed. */
export function reportReceipts(
	{ log, telemetry, traffic, onFinished }: ReceiptReporter,
	receipts: readonly (NumberedReceipt &
		Pick<Receipt, "operatorAccount" | "operatorMessageId">)[],
	{ done, late, unmatched, others, ambiguous }: ReceiptEffects,
	finished: readonly FinishedMessage[],
): void {
	telemetry.receipts.inc({ result: "applied" }, done.length - late.length);
	telemetry.receipts.inc({ result: "late" }, late.length);
	telemetry.receipts.inc(
		{ result: "parked" },
		unmatched.length - others.length,
	);
	telemetry.receipts.inc({ result: "other_number" }, others.length);
	telemetry.receipts.inc({ result: "ambiguous" }, ambiguous.length);
	for (const message of finished) {
		const { route, submittedAt, finishedAt } = message;
		if (submittedAt === null) continue;
		telemetry.receiptDelay
			.labels(route)
			.observe(Math.max(0, finishedAt.getTime() - submittedAt.getTime()) / 1e3);
		traffic.countEnded(message);
	}
	onFinished(finished);
	for (const { id, operatorAccount, operatorMessageId } of receipts)
		if (ambiguous.includes(id))
			log.error(
				{ operatorAccount, operatorMessageId },
				"a receipt names several messages; it is kept and not applied",
			);
}
