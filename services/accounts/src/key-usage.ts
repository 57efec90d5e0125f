import type { KeyUse } from "./store/usable-keys.ts";

/** When keys were last used, kept in memory until the next write: a request never waits for it. */
export interface KeyUsage {
	record(apiKeyId: string, usedAt: Date): void;
	/** What was recorded since the last call, one entry per key. */
	take(): KeyUse[];
	/** Puts uses back that could not be written. */
	restore(uses: readonly KeyUse[]): void;
}

export function createKeyUsage(): KeyUsage {
	let latest = new Map<string, Date>();

	function record(apiKeyId: string, usedAt: Date): void {
		const known = latest.get(apiKeyId);
		if (known === undefined || known < usedAt) latest.set(apiKeyId, usedAt);
	}

	return {
		record,
		take() {
			const taken = [...latest];
			latest = new Map();
			return taken.map(([apiKeyId, usedAt]) => ({ apiKeyId, usedAt }));
		},
		restore(uses) {
			for (const use of uses) record(use.apiKeyId, use.usedAt);
		},
	};
}
