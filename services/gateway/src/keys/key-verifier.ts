import { hash } from "node:crypto";
import { createBatcher } from "@airtower/platform/work/micro-batcher";
import type { AuthenticatedKey } from "@airtower/proto/accounts/v1/accounts";
import { maskApiKey } from "@airtower/proto/rules/api-key";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { Clients } from "../clients.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
import { RefusalError } from "../errors.ts";

/** Finds out which keys are good, from a short memory where it can. */
export interface KeyVerifier {
	/** The remembered result: a key, `null` for one that is known to be bad, undefined when it must be verified. */
	recall(apiKey: string): VerifiedKey | null | undefined;
	/** Asks accounts; `null` for a key that is unknown, revoked or expired. Throws when accounts does not respond. */
	verify(apiKey: string): Promise<VerifiedKey | null>;
	/** Forgets one key, or all keys of an organization: what accounts returns from now on counts. */
	forget(id: string): void;
}

interface KeyVerifierOptions {
	readonly authenticate: Authenticate;
	/** The wall clock: only a key's own end is a time of it. */
	readonly nowMs: () => number;
	/** Never set back: what is remembered ends by it. */
	readonly monotonicMs: () => number;
	readonly onRefreshError: (error: unknown) => void;
}

interface Remembered {
	readonly key: VerifiedKey;
	refreshAtMs: number;
}

/** Longest use of a verified key without asking again, ms: bounds how long a revoked key lives on. */
const GOOD_FOR_MS = 10_000;
/** A key in use is verified again after this, beside the traffic, ms. */
const REFRESH_AFTER_MS = 5_000;
/** Pause between two tries to refresh a key, ms. */
const REFRESH_RETRY_MS = 1_000;
/** How long a bad key is remembered, ms. */
const BAD_FOR_MS = 1_000;
/** Good keys, and bad keys, that are remembered at once. */
const MAX_REMEMBERED = 10_000;

export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
	const { authenticate, nowMs, monotonicMs, onRefreshError } = options;
	const perf = { now: monotonicMs };
	const memory = { max: MAX_REMEMBERED, perf, ttlResolution: 0 };
	/** By SHA-256 of the key: no key is in memory that could leak. */
	const good = new LRUCache<string, Remembered>({
		...memory,
		ttl: GOOD_FOR_MS,
	});
	/** Apart, so that no flood of bad keys pushes out good ones. */
	const bad = new LRUCache<string, true>({ ...memory, ttl: BAD_FOR_MS });
	const pending = new Map<string, Promise<VerifiedKey | null>>();
	const checks = createKeyChecks(authenticate, monotonicMs);

	function recall(apiKey: string): VerifiedKey | null | undefined {
		const name = toName(apiKey);
		const remembered = good.get(name);
		if (remembered === undefined) return bad.has(name) ? null : undefined;
		const now = monotonicMs();
		if (now >= remembered.refreshAtMs) {
			remembered.refreshAtMs = now + REFRESH_RETRY_MS;
			verify(apiKey).catch(onRefreshError);
		}
		return remembered.key.expiresAtMs > nowMs() ? remembered.key : null;
	}

	function verify(apiKey: string): Promise<VerifiedKey | null> {
		const name = toName(apiKey);
		const known = pending.get(name);
		if (known !== undefined) return known;
		const verified = checkAndKeep(apiKey, name);
		pending.set(name, verified);
		return verified.finally(() => pending.delete(name));
	}

	async function checkAndKeep(
		apiKey: string,
		name: string,
	): Promise<VerifiedKey | null> {
		const { key, askedAtMs: start } = await checks.check(apiKey);
		good.delete(name);
		bad.delete(name);
		const refreshAtMs = start + REFRESH_AFTER_MS;
		if (key === null) bad.set(name, true, { start });
		else good.set(name, { key, refreshAtMs }, { start });
		return key;
	}

	function forget(id: string): void {
		checks.forget(id);
		const ids = new Set([id]);
		for (const [name, { key }] of good.entries())
			if (isNamed(key, ids)) good.delete(name);
	}

	return { recall, verify, forget };
}

function toName(apiKey: string): string {
	return hash("sha256", apiKey, "base64");
}

interface KeyChecks {
	/** A result is never older than its `askedAtMs`. */
	check(apiKey: string): Promise<CheckedKey>;
	/** Checks in flight whose key is of this id, or of this organization, are made anew. */
	forget(id: string): void;
}

interface CheckedKey {
	readonly key: VerifiedKey | null;
	readonly askedAtMs: number;
}

type Authenticate = (apiKeys: string[]) => Promise<(VerifiedKey | null)[]>;

const MAX_KEYS_PER_CALL = 500;
const MAX_CALLS_IN_FLIGHT = 2;
/** More keys than this wait longer than their clients do; whoever floods us with keys finds the bound of the memory. */
export const MAX_KEYS_WAITING = 20_000;

function createKeyChecks(
	authenticate: Authenticate,
	monotonicMs: () => number,
): KeyChecks {
	/** For each call in flight, the ids that were forgotten since it began. */
	const inFlight = new Set<Set<string>>();
	const batcher = createBatcher<string, CheckedKey & { isStale: boolean }>({
		maxItems: MAX_KEYS_PER_CALL,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: async (apiKeys) => {
			const askedAtMs = monotonicMs();
			const forgotten = new Set<string>();
			inFlight.add(forgotten);
			try {
				const keys = await authenticate(apiKeys);
				return keys.map((key) => {
					const isStale = key !== null && isNamed(key, forgotten);
					return { key, askedAtMs, isStale };
				});
			} finally {
				inFlight.delete(forgotten);
			}
		},
	});
	return {
		check: async (apiKey) => {
			if (batcher.depth() >= MAX_KEYS_WAITING)
				throw new RefusalError({ code: "service_unavailable" });
			let checked = await batcher.add(apiKey);
			// Each round needs a new change of this very key or its organization.
			while (checked.isStale) checked = await batcher.add(apiKey);
			return checked;
		},
		forget: (id) => {
			for (const forgotten of inFlight) forgotten.add(id);
		},
	};
}

/** True when the key or its organization is among the ids. */
function isNamed(key: VerifiedKey, ids: ReadonlySet<string>): boolean {
	return ids.has(key.apiKeyId) || ids.has(key.organizationId);
}

/**
 * Asks accounts for many keys at once; returns one result per key, `null` for a key that is not good. It asks once more
 * where no response came: the question changes nothing, and a process that stands still is called no more by then.
 */
export function authenticateKeys({
	accounts,
}: Pick<Clients, "accounts">): Authenticate {
	return async (apiKeys) => {
		const ask = () => accounts.authenticateKeys({ apiKeys });
		const { results } = await ask().catch((error: unknown) => {
			if (!isWithoutResponse(error)) throw error;
			return ask();
		});
		return results.map(({ key }, nth) =>
			key === undefined ? null : toVerifiedKey(key, apiKeys[nth] ?? ""),
		);
	};
}

/** True where accounts may be well; it responds as unavailable itself while its database is away. */
function isWithoutResponse(error: unknown): boolean {
	const { code, isWireError } = ConnectError.from(error);
	return (
		code === Code.DeadlineExceeded ||
		(code === Code.Unavailable && !isWireError)
	);
}

function toVerifiedKey(key: AuthenticatedKey, apiKey: string): VerifiedKey {
	return {
		apiKeyId: key.apiKeyId,
		prefix: maskApiKey(apiKey),
		organizationId: key.organizationId,
		organizationState: key.organizationState,
		scopes: new Set(key.scopes),
		rateLimit: key.rateLimitPerMinute,
		organizationRateLimit: Math.max(
			key.rateLimitPerMinute,
			key.organizationRateLimitPerMinute,
		),
		expiresAtMs:
			key.expiresAt === undefined
				? Number.POSITIVE_INFINITY
				: timestampMs(key.expiresAt),
		defaultCountry: key.defaultCountry,
	};
}
