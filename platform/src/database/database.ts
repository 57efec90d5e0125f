import postgres from "postgres";
import { type RetryLimits, retryDelay } from "../runtime/retry-delay.ts";
import { splitTls } from "./database-tls.ts";
import { createSilenceWatch } from "./silence-watch.ts";
import { postgresCode } from "./sql-errors.ts";

export type Db = postgres.Sql<{ bigint: number }>;
export type Tx = postgres.TransactionSql<{ bigint: number }>;
export type Queryable = Db | Tx;

interface DatabaseOptions {
	/** As libpq takes it: `?host=/folder` for a Unix-domain socket, `?sslmode=verify-full&sslrootcert=file`. */
	readonly url: string;
	readonly schema: string;
	readonly poolSize: number;
	readonly applicationName: string;
	/** A connection that brings nothing for so long is cut, ms; default 15,000; 0 never. */
	readonly silenceTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 5_000;
/** Longest run of one transaction, ms; the server ends it, so that the limit applies to a stopped process too. */
export const TRANSACTION_TIMEOUT_MS = 10_000;
/** Longer than the server lets anything run: only a host that is gone is silent for so long. */
const DEFAULT_SILENCE_TIMEOUT_MS = TRANSACTION_TIMEOUT_MS + 5_000;
/** Connections that rest are closed before the watch takes them for silent, s. */
const IDLE_TIMEOUT_S = 10;
const CONNECT_TIMEOUT_S = 10;
/** Each execution is planned for its own lists and for the tables of now; ARCHITECTURE, section 8. */
const PLANS = {
	plan_cache_mode: "force_custom_plan",
	random_page_cost: 1.1,
	jit: "off",
} as const;
const MAX_TRIES = 6;
/** Of a transaction after a conflict. */
const RETRY: RetryLimits = { firstMs: 20, longestMs: 320 };
/** Of a connection that could not be opened. */
const RECONNECT: RetryLimits = { firstMs: 50, longestMs: 2_000 };

/** The driver guesses an array's type from its first element, wrongly for these: `sql.array(buffers, BYTEA_ARRAY)`. */
export const BYTEA_ARRAY = 1001;
export const BOOLEAN_ARRAY = 1000;

const optionsOf = new WeakMap<Db, DatabaseOptions>();

/** Opens a pool. Nothing is dialled before the first query. int8 is read as number, timestamptz as Date. */
export function connectDatabase(options: DatabaseOptions): Db {
	const sql = open(options, {});
	optionsOf.set(sql, options);
	return sql;
}

/**
 * A connection of its own, never cut for its age.
 * @param silenceTimeoutMs without it, silence is no reason either: for statements without a time-out
 */
export function dedicatedConnection(sql: Db, silenceTimeoutMs = 0): Db {
	return open(
		{ ...findOptions(sql), poolSize: 1, silenceTimeoutMs },
		{ max_lifetime: null },
	);
}

/** How long a connection of the pool may bring nothing, ms; 0 for ever. */
export function silenceTimeoutOf(sql: Db): number {
	return findOptions(sql).silenceTimeoutMs ?? DEFAULT_SILENCE_TIMEOUT_MS;
}

function findOptions(sql: Db): DatabaseOptions {
	const options = optionsOf.get(sql);
	if (options === undefined)
		throw new Error("The pool was not opened by connectDatabase.");
	return options;
}

function open(options: DatabaseOptions, extra: { max_lifetime?: null }): Db {
	const { url, ...target } = splitSocket(options.url);
	return postgres(url, {
		...extra,
		...target,
		max: options.poolSize,
		connect_timeout: CONNECT_TIMEOUT_S,
		...watched(options.silenceTimeoutMs ?? DEFAULT_SILENCE_TIMEOUT_MS),
		backoff: (retries: number) => retryDelay(retries + 1, RECONNECT) / 1_000,
		onnotice: () => {},
		connection: {
			application_name: options.applicationName,
			search_path: options.schema,
			statement_timeout: STATEMENT_TIMEOUT_MS,
			transaction_timeout: TRANSACTION_TIMEOUT_MS,
			idle_in_transaction_session_timeout: TRANSACTION_TIMEOUT_MS,
			...PLANS,
		},
		types: {
			bigint: {
				to: 20,
				from: [20],
				serialize: (value: number) => String(value),
				parse: parseSafeInteger,
			},
		},
	});
}

function watched(silenceTimeoutMs: number) {
	if (silenceTimeoutMs === 0) return {};
	return {
		idle_timeout: IDLE_TIMEOUT_S,
		socket: createSilenceWatch(silenceTimeoutMs),
	};
}

function splitSocket(text: string) {
	const url = new URL(text);
	const folder = url.searchParams.get("host");
	if (folder?.startsWith("/") !== true) return splitTls(text);
	url.searchParams.delete("host");
	return { url: url.href, host: folder };
}

function parseSafeInteger(text: string): number {
	const value = Number(text);
	if (!Number.isSafeInteger(value))
		throw new RangeError(`int8 ${text} is beyond 2^53`);
	return value;
}

/** Runs `work` in one transaction, and again after a conflict: it must have no effect outside of it. */
export async function transaction<T>(
	sql: Db,
	work: (sql: Tx) => Promise<T>,
): Promise<T> {
	return retryConflicts(
		async () => (await sql.begin("isolation level read committed", work)) as T,
	);
}

/** Runs a statement or transaction, and again after a deadlock (40P01) or a serialization failure (40001). */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await work();
		} catch (error) {
			if (tries >= MAX_TRIES || !isRetryable(error)) throw error;
			await pause(Math.random() * retryDelay(tries, RETRY));
		}
	}
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

function isRetryable(error: unknown): boolean {
	const code = postgresCode(error);
	return code === "40P01" || code === "40001";
}
