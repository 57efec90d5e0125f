import { isDataError } from "../database/sql-errors.ts";
import type { Logger } from "../runtime/log.ts";
import { pause } from "../runtime/waiting.ts";
import { type Batcher, createBatcher } from "./micro-batcher.ts";

export type Settler<A> = Batcher<A, void>;

export interface SettlingOptions<A> {
	readonly maxBatch: number;
	/** Batches begin at least so far apart, ms; default 0. */
	readonly lingerMs?: number;
	readonly log: Logger;
	readonly signal: AbortSignal;
	/** Records a batch, all or none. It may be repeated: a fence lets each attempt be recorded once. */
	readonly settle: (attempts: readonly A[]) => Promise<void>;
	readonly withoutResponse: (attempt: A) => A;
}

const MAX_IN_FLIGHT = 2;
const RETRY_MS = 500;

/** Keeps attempts while the database is away. One that it refuses holds up no other. */
export function createSettling<A>(options: SettlingOptions<A>): Settler<A> {
	const batcher = createBatcher<A, Refusal>({
		maxItems: options.maxBatch,
		maxInFlight: MAX_IN_FLIGHT,
		lingerMs: options.lingerMs ?? 0,
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

type Refusal = { readonly error: unknown } | undefined;

async function settleInsistently<A>(
	options: SettlingOptions<A>,
	attempts: readonly A[],
	isLastTry = false,
): Promise<Refusal[]> {
	for (;;) {
		try {
			await options.settle(attempts);
			return attempts.map(() => undefined);
		} catch (error) {
			if (options.signal.aborted) throw error;
			options.log.error({ err: error }, "attempts could not be settled");
			if (!isDataError(error)) await pause(RETRY_MS, options.signal);
			else if (isLastTry) return attempts.map(() => ({ error }));
			else return settleApart(options, attempts);
		}
	}
}

async function settleApart<A>(
	options: SettlingOptions<A>,
	attempts: readonly A[],
): Promise<Refusal[]> {
	if (attempts.length === 1) {
		const bare = attempts.map(options.withoutResponse);
		return settleInsistently(options, bare, true);
	}
	const middle = Math.ceil(attempts.length / 2);
	return [
		...(await settleInsistently(options, attempts.slice(0, middle))),
		...(await settleInsistently(options, attempts.slice(middle))),
	];
}
