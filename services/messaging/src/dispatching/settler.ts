import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import {
	createSettling,
	type Settler,
} from "@airtower/platform/work/micro-batcher";
import { publishOutcomes } from "../publish-outcomes.ts";
import type { RouteTraffic } from "../route-traffic.ts";
import {
	claimKey,
	deleteDispatched,
	moveMessages,
	postponeDispatch,
	type SettledClaim,
	updateRoutes,
} from "../store/dispatch/dispatch-settles.ts";
import {
	type FinishedMessage,
	finishMessages,
	recordAttempts,
} from "../store/message-updates.ts";
import { replaceParts } from "../store/parts.ts";
import {
	deleteAnswered,
	insertUnanswered,
	wakeReceipts,
} from "../store/receipts/unanswered.ts";
import type { Telemetry } from "../telemetry.ts";
import {
	isEnd,
	type SettledAttempt,
	toFailure,
	toMove,
	toParts,
	toPostponement,
	toRecord,
	toResplit,
	toReturn,
	toUnanswered,
	toUnknown,
} from "./attempt-rows.ts";

interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly traffic: RouteTraffic;
	readonly signal: AbortSignal;
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
	/** Called once messages wait for other routes than before. */
	readonly onMoved: () => void;
}

const MAX_BATCH = 500;

/** Settles finished attempts; one whose result cannot be stored becomes unknown. */
export function createSettler(
	options: SettlerOptions,
): Settler<SettledAttempt> {
	const { sql, log, signal } = options;
	return createSettling({
		maxBatch: MAX_BATCH,
		log,
		signal,
		withoutResponse,
		settle: async (attempts) =>
			report(options, attempts, await settleAttempts(sql, attempts)),
	});
}

function withoutResponse(attempt: SettledAttempt): SettledAttempt {
	return { ...attempt, result: undefined, outcome: { kind: "unknown" } };
}

function report(
	{ log, telemetry, traffic, onFinished, onMoved }: SettlerOptions,
	attempts: readonly SettledAttempt[],
	settled: SettleReport,
): void {
	attempts.forEach(({ message, operator, outcome }, index) => {
		const owned = settled.owned[index] === true;
		telemetry.attempts.inc({ outcome: owned ? outcome.kind : "fenced" });
		if (owned && outcome.kind === "submitted" && settled.at !== undefined)
			traffic.countSubmitted(operator.code, message.recipient, settled.at);
		if (owned && outcome.kind !== "unknown") return;
		const { messageId, attempt } = message;
		log.warn(
			{ messageId, attempt, route: operator.code, outcome: outcome.kind },
			owned
				? "what became of a message is unknown until a receipt or an admin tells"
				: "an attempt ended after its message had gone to another owner",
		);
	});
	onFinished(settled.finished);
	if (settled.moved > 0) onMoved();
}

interface SettleReport {
	/** By index in the batch: false when the message has ended or was claimed again. */
	readonly owned: boolean[];
	/** By the database's clock; undefined when nothing was settled. */
	readonly at: Date | undefined;
	readonly finished: readonly FinishedMessage[];
	/** Messages that were given to other routes. */
	readonly moved: number;
}

/** Those whose fence does not hold change nothing. It may be repeated. */
export async function settleAttempts(
	sql: Db,
	attempts: readonly SettledAttempt[],
): Promise<SettleReport> {
	const { unknown, ...settled } = await transaction(sql, async (sql) => {
		const claims = await endClaims(sql, attempts);
		const owned = claims.map((claim) => claim !== undefined);
		const mine = attempts.filter((_, index) => owned[index]);
		const returned = attempts.flatMap((attempt, index) => {
			const claim = claims[index];
			return claim === undefined ? [] : toReturn(attempt, claim.route);
		});
		const unknown = mine.flatMap(toUnknown);
		const answered = attempts.flatMap(({ message, outcome }, index) =>
			claims[index]?.wasUnknown && outcome.kind !== "unknown" ? [message] : [],
		);
		const [finished, moved] = await Promise.all([
			endFailed(sql, mine),
			moveMessages(sql, mine.flatMap(toMove)),
			recordAttempts(sql, mine.flatMap(toRecord)),
			replaceParts(sql, mine.flatMap(toResplit), mine.flatMap(toParts)),
			deleteAnswered(sql, answered),
			insertUnanswered(sql, mine.flatMap(toUnanswered)),
			updateRoutes(sql, returned),
		]);
		const at = claims.find((claim) => claim !== undefined)?.settledAt;
		return { owned, at, finished, moved, unknown };
	});
	await wakeReceipts(sql, unknown);
	return settled;
}

/** By index in the batch: undefined where the fence does not hold. */
async function endClaims(
	sql: Tx,
	attempts: readonly SettledAttempt[],
): Promise<(SettledClaim | undefined)[]> {
	const ended = attempts.filter(isEnd).map(({ message }) => message);
	const claims = await Promise.all([
		deleteDispatched(sql, ended),
		postponeDispatch(sql, attempts.flatMap(toPostponement)),
	]);
	const owned = new Map(claims.flat().map((one) => [claimKey(one), one]));
	return attempts.map(({ message }) => owned.get(claimKey(message)));
}

async function endFailed(
	sql: Tx,
	attempts: readonly SettledAttempt[],
): Promise<FinishedMessage[]> {
	const finished = await finishMessages(sql, attempts.flatMap(toFailure));
	await publishOutcomes(sql, finished);
	return finished;
}
