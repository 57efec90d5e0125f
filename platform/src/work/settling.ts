import { isDataError } from "../database/database.ts";
import type { Logger } from "../runtime/log.ts";
import { pause } from "../runtime/loop.ts";
import { type Batcher, createBatcher } from "./micro-batcher.ts";

/** Records what came of attempts to send, in batches. */
export type Settler<A> = Batcher<A, void>;

export interface SettlingOptions<A> {
	/** Most attempts in one transaction. */
	readonly maxBatch: number;
	readonly log: Logger;
	/** Ends the waiting for a database that is away: what waits is rejected. */
	readonly signal: AbortSignal;
	/** Records a batch, all or none. It may be repeated: a fence lets each attempt be recorded once. */
	readonly settle: (attempts: readonly A[]) => Promise<void>;
	/** What can be recorded of an attempt whose answer the database refuses. */
	readonly withoutAnswer: (attempt: A) => A;
}

const MAX_IN_FLIGHT = 2;
const RETRY_MS = 500;

/**
 * Gathers finished attempts into transactions, at once: an operator's window waits for them. An answer
 * comes only once: while the database is away it is kept and tried again. An attempt whose answer cannot be
 * stored holds up no other: alone, it is recorded without, and rejected when that is refused too.
 */
export function createSettling<A>(options: SettlingOptions<A>): Settler<A> {
	const batcher = createBatcher<A, Refusal>({
		maxItems: options.maxBatch,
		maxInFlight: MAX_IN_FLIGHT,
		flush: (attempts) => settleInsistently(options, attempts),
	});
	return {
		...batcher,
		add: async (attempt) => {
			const refusal = await batcher.add(attempt);
			if (refusal !== undefined) throw refusal.error;
		},
	};
}

/** Why an attempt could not be recorded at all; undefined for one that was. */
type Refusal = { readonly error: unknown } | undefined;

/** What to do when the database refuses attempts for their content. */
type OnRefused = <A>(
	options: SettlingOptions<A>,
	attempts: readonly A[],
	error: unknown,
) => Promise<Refusal[]>;

async function settleInsistently<A>(
	options: SettlingOptions<A>,
	attempts: readonly A[],
	onRefused: OnRefused = settleApart,
): Promise<Refusal[]> {
	for (;;) {
		try {
			await options.settle(attempts);
			return attempts.map(() => undefined);
		} catch (error) {
			if (options.signal.aborted) throw error;
			options.log.error({ err: error }, "attempts could not be settled");
			if (isDataError(error)) return onRefused(options, attempts, error);
			await pause(RETRY_MS, options.signal);
		}
	}
}

async function settleApart<A>(
	options: SettlingOptions<A>,
	attempts: readonly A[],
): Promise<Refusal[]> {
	if (attempts.length === 1)
		return settleInsistently(
			options,
			attempts.map(options.withoutAnswer),
			giveUp,
		);
	const middle = Math.ceil(attempts.length / 2);
	return [
		...(await settleInsistently(options, attempts.slice(0, middle))),
		...(await settleInsistently(options, attempts.slice(middle))),
	];
}

const giveUp: OnRefused = async (_options, attempts, error) =>
	attempts.map(() => ({ error }));
