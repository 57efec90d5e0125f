import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { VerifiedKey } from "../domain/verified-key.ts";
import { type Authenticate, createKeyChecks, isNamed } from "./key-checks.ts";

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
	/** By SHA-256 of the key: the memory holds no key that could leak. */
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
