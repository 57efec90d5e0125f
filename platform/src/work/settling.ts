import { isDataError } from "../database/sql-errors.ts";
import type { Logger } from "../runtime/log.ts";
import { type RetryLimits, retryDelay } from "../runtime/retry-delay.ts";
import { pause } from "../runtime/waiting.ts";
import { inHalves } from "./in-halves.ts";
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
const RETRY: RetryLimits = { firstMs: 100, longestMs: 1_000 };

/** Keeps attempts while the database is away. One that it refuses delays no other. */
export function createSettling<A>(options: SettlingOptions<A>): Settler<A> {
	const batcher = createBatcher<A, Refusal>({
		maxItems: options.maxBatch,
		maxInFlight: MAX_IN_FLIGHT,
		lingerMs: options.lingerMs ?? 0,
		flush: (attempts) =>
			inHalves(attempts, (some) => settleInsistently(options, some)),
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

/** Undefined when the database refuses one of several. One that stands alone is tried without its response. */
async function settleInsistently<A>(
	options: SettlingOptions<A>,
	attempts: readonly A[],
): Promise<Refusal[] | undefined> {
	const { log, signal, settle, withoutResponse } = options;
	let tried = attempts;
	for (let failures = 1; ; failures++) {
		try {
			await settle(tried);
			return attempts.map(() => undefined);
		} catch (error) {
			if (signal.aborted) throw error;
			log.error({ err: error, failures }, "attempts could not be settled");
			if (!isDataError(error)) await pause(retryDelay(failures, RETRY), signal);
			else if (attempts.length > 1) return undefined;
			else if (tried !== attempts) return [{ error }];
			else tried = attempts.map(withoutResponse);
		}
	}
}
