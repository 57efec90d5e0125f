import { hash } from "node:crypto";
import { createBatcher } from "@airtower/platform/work/micro-batcher";

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

/** Tells which keys are good, from a short memory where it can. */
export interface KeyVerifier {
	/** The remembered result: a key, `null` for one that is known to be bad, undefined when it must be verified. */
	recall(apiKey: string): VerifiedKey | null | undefined;
	/** Asks accounts; `null` for a key that is unknown, revoked or expired. Throws when accounts cannot be asked. */
	verify(apiKey: string): Promise<VerifiedKey | null>;
	forgetKey(apiKeyId: string): void;
	forgetOrganization(organizationId: string): void;
}

export interface KeyVerifierOptions {
	/** Answers one result per key, in order. */
	readonly authenticate: (apiKeys: string[]) => Promise<(VerifiedKey | null)[]>;
	readonly nowMs: () => number;
	readonly onRefreshError: (error: unknown) => void;
}

interface Memory {
	readonly key: VerifiedKey;
	readonly goodUntilMs: number;
	refreshAtMs: number;
}

interface Answer {
	readonly key: VerifiedKey | null;
	/** From before the question was asked, so that no answer is older than it seems. */
	readonly askedAtMs: number;
	/** True when the key was to be forgotten while the question was under way: it may be revoked by now. */
	readonly isStale: boolean;
}

/** Tells the keys that are to be forgotten. */
type IsMeant = (key: VerifiedKey) => boolean;

/** Longest use of a verified key without asking again, ms: bounds how long a revoked key lives on. */
const GOOD_FOR_MS = 10_000;
/** A key in use is asked about again after this, beside the traffic, ms. */
const REFRESH_AFTER_MS = 5_000;
/** Pause between two tries to refresh a key, ms. */
const REFRESH_RETRY_MS = 1_000;
/** How long a bad key is remembered, ms. */
const BAD_FOR_MS = 1_000;
const MAX_REMEMBERED = 10_000;
const MAX_REMEMBERED_BAD = 10_000;
const MAX_KEYS_PER_CALL = 500;

export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
	const { nowMs } = options;
	/** By SHA-256 of the key, least recently used first: the memory holds no key that could leak. */
	const good = new Map<string, Memory>();
	/** When to ask again about a bad key; apart, so that no flood of bad keys pushes out good ones. */
	const bad = new Map<string, number>();
	const pending = new Map<string, Promise<VerifiedKey | null>>();
	/** For each question under way, what was to be forgotten since it was asked. */
	const underWay = new Set<IsMeant[]>();

	const questions = createBatcher<string, Answer>({
		maxItems: MAX_KEYS_PER_CALL,
		maxInFlight: 2,
		flush: async (apiKeys) => {
			const askedAtMs = nowMs();
			const forgotten: IsMeant[] = [];
			underWay.add(forgotten);
			try {
				const keys = await options.authenticate(apiKeys);
				return keys.map((key) => {
					const isStale =
						key !== null && forgotten.some((isMeant) => isMeant(key));
					return { key, askedAtMs, isStale };
				});
			} finally {
				underWay.delete(forgotten);
			}
		},
	});

	function recall(apiKey: string): VerifiedKey | null | undefined {
		const name = nameOf(apiKey);
		const now = nowMs();
		const memory = good.get(name);
		if (memory === undefined) {
			const badUntilMs = bad.get(name);
			return badUntilMs !== undefined && now < badUntilMs ? null : undefined;
		}
		good.delete(name);
		if (now >= memory.goodUntilMs) return undefined;
		good.set(name, memory);
		if (now >= memory.refreshAtMs) refresh(apiKey, memory, now);
		return memory.key.expiresAtMs > now ? memory.key : null;
	}

	function refresh(apiKey: string, memory: Memory, now: number): void {
		memory.refreshAtMs = now + REFRESH_RETRY_MS;
		verify(apiKey).catch(options.onRefreshError);
	}

	function verify(apiKey: string): Promise<VerifiedKey | null> {
		const name = nameOf(apiKey);
		const asked = pending.get(name);
		if (asked !== undefined) return asked;
		const answer = ask(apiKey, name).finally(() => pending.delete(name));
		pending.set(name, answer);
		return answer;
	}

	/**
	 * Asks anew when the answer is stale: requests that began after the key was forgotten wait here too.
	 * Each round needs a new change of this very key or its organization.
	 */
	async function ask(
		apiKey: string,
		name: string,
	): Promise<VerifiedKey | null> {
		let answer = await questions.add(apiKey);
		while (answer.isStale) answer = await questions.add(apiKey);
		keep(name, answer);
		return answer.key;
	}

	function keep(name: string, { key, askedAtMs }: Answer): void {
		good.delete(name);
		bad.delete(name);
		if (key === null) {
			dropOldest(bad, MAX_REMEMBERED_BAD);
			bad.set(name, askedAtMs + BAD_FOR_MS);
			return;
		}
		dropOldest(good, MAX_REMEMBERED);
		good.set(name, {
			key,
			goodUntilMs: askedAtMs + GOOD_FOR_MS,
			refreshAtMs: askedAtMs + REFRESH_AFTER_MS,
		});
	}

	function forget(isMeant: IsMeant): void {
		for (const forgotten of underWay) forgotten.push(isMeant);
		for (const [name, { key }] of good) if (isMeant(key)) good.delete(name);
	}

	return {
		recall,
		verify,
		forgetKey: (apiKeyId) => forget((key) => key.apiKeyId === apiKeyId),
		forgetOrganization: (organizationId) =>
			forget((key) => key.organizationId === organizationId),
	};
}

function dropOldest(map: Map<string, unknown>, size: number): void {
	if (map.size < size) return;
	const oldest = map.keys().next().value;
	if (oldest !== undefined) map.delete(oldest);
}

function nameOf(apiKey: string): string {
	return hash("sha256", apiKey, "base64");
}
