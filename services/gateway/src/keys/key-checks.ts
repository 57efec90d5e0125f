import { createBatcher } from "@airtower/platform/work/micro-batcher";
import type { VerifiedKey } from "../domain/verified-key.ts";
import { RefusalError } from "../errors.ts";

export interface KeyChecks {
	/** A result is never older than its `askedAtMs`. */
	check(apiKey: string): Promise<CheckedKey>;
	/** Checks in flight whose key is of this id, or of this organization, are made anew. */
	forget(id: string): void;
}

export interface CheckedKey {
	readonly key: VerifiedKey | null;
	readonly askedAtMs: number;
}

export type Authenticate = (
	apiKeys: string[],
) => Promise<(VerifiedKey | null)[]>;

const MAX_KEYS_PER_CALL = 500;
const MAX_CALLS_IN_FLIGHT = 2;
/** More keys than this wait longer than their clients do; whoever floods us with keys finds the bound of the memory. */
export const MAX_KEYS_WAITING = 20_000;

export function createKeyChecks(
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
export function isNamed(key: VerifiedKey, ids: ReadonlySet<string>): boolean {
	return ids.has(key.apiKeyId) || ids.has(key.organizationId);
}
