import { hash } from "node:crypto";
import { createBatcher } from "@airtower/platform/work/micro-batcher";
import { LRUCache } from "lru-cache";

/** What a verified key allows. */
export interface VerifiedKey {
	readonly apiKeyId: string;
	readonly organizationId: string;
	/** "trial", "active", "past_due", "suspended" or "closed". */
	readonly organizationState: string;
	readonly scopes: ReadonlySet<string>;
	/** Requests allowed per 60-second window. */
	readonly rateLimit: number;
	/** Infinity for never. */
	readonly expiresAtMs: number;
	/** ISO 3166-1 alpha-2, empty for none. */
	readonly defaultCountry: string;
}

/** Finds out which keys are good, from a short memory where it can. */
export interface KeyVerifier {
	/** The remembered result: a key, `null` for one that is known to be bad, undefined when it must be verified. */
	recall(apiKey: string): VerifiedKey | null | undefined;
	/** Asks accounts; `null` for a key that is unknown, revoked or expired. Throws when accounts does not respond. */
	verify(apiKey: string): Promise<VerifiedKey | null>;
	/** Forgets one key, or all keys of an organization: what accounts returns from now on counts. */
	forget(id: string): void;
}

export interface KeyVerifierOptions {
	/** Returns one result per key, in order. */
	readonly authenticate: (apiKeys: string[]) => Promise<(VerifiedKey | null)[]>;
	readonly nowMs: () => number;
	readonly onRefreshError: (error: unknown) => void;
}

interface Remembered {
	readonly key: VerifiedKey;
	refreshAtMs: number;
}

interface Verified {
	readonly key: VerifiedKey | null;
	/** When the call began: a result is never older than it seems. */
	readonly askedAtMs: number;
	/** True when the key was forgotten during the call: it may be revoked by now. */
	readonly isStale: boolean;
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
const MAX_KEYS_PER_CALL = 500;
const MAX_CALLS_IN_FLIGHT = 2;

export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
	const { authenticate, nowMs, onRefreshError } = options;
	const memory = {
		max: MAX_REMEMBERED,
		perf: { now: nowMs },
		ttlResolution: 0,
	};
	/** By SHA-256 of the key: the memory holds no key that could leak. */
	const good = new LRUCache<string, Remembered>({
		...memory,
		ttl: GOOD_FOR_MS,
	});
	/** Apart, so that no flood of bad keys pushes out good ones. */
	const bad = new LRUCache<string, true>({ ...memory, ttl: BAD_FOR_MS });
	const pending = new Map<string, Promise<VerifiedKey | null>>();
	/** For each call in flight, the ids that were forgotten since it began. */
	const inFlight = new Set<Set<string>>();

	const batcher = createBatcher<string, Verified>({
		maxItems: MAX_KEYS_PER_CALL,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: async (apiKeys) => {
			const askedAtMs = nowMs();
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

	function recall(apiKey: string): VerifiedKey | null | undefined {
		const name = toName(apiKey);
		const remembered = good.get(name);
		if (remembered === undefined) return bad.has(name) ? null : undefined;
		const now = nowMs();
		if (now >= remembered.refreshAtMs) {
			remembered.refreshAtMs = now + REFRESH_RETRY_MS;
			verify(apiKey).catch(onRefreshError);
		}
		return remembered.key.expiresAtMs > now ? remembered.key : null;
	}

	function verify(apiKey: string): Promise<VerifiedKey | null> {
		const name = toName(apiKey);
		const known = pending.get(name);
		if (known !== undefined) return known;
		const asked = ask(apiKey, name).finally(() => pending.delete(name));
		pending.set(name, asked);
		return asked;
	}

	/**
	 * Asks anew when the result is stale: requests that began after the key was forgotten wait here too.
	 * Each round needs a new change of this very key or its organization.
	 */
	async function ask(
		apiKey: string,
		name: string,
	): Promise<VerifiedKey | null> {
		let verified = await batcher.add(apiKey);
		while (verified.isStale) verified = await batcher.add(apiKey);
		const { key, askedAtMs: start } = verified;
		good.delete(name);
		bad.delete(name);
		if (key === null) bad.set(name, true, { start });
		else {
			const refreshAtMs = start + REFRESH_AFTER_MS;
			good.set(name, { key, refreshAtMs }, { start });
		}
		return key;
	}

	return {
		recall,
		verify,
		forget: (id) => {
			const ids = new Set([id]);
			for (const forgotten of inFlight) forgotten.add(id);
			for (const [name, { key }] of good.entries())
				if (isNamed(key, ids)) good.delete(name);
		},
	};
}

/** True when the key or its organization is among the ids. */
function isNamed(key: VerifiedKey, ids: ReadonlySet<string>): boolean {
	return ids.has(key.apiKeyId) || ids.has(key.organizationId);
}

function toName(apiKey: string): string {
	return hash("sha256", apiKey, "base64");
}
