import type { KeyUse } from "./store/usable-keys.ts";

/** Kept in memory until the next write: a request never waits for it. */
export interface KeyUsage {
	record(apiKeyId: string, usedAt: Date): void;
	take(): KeyUse[];
}

export function createKeyUsage(): KeyUsage {
	let latest = new Map<string, Date>();

	return {
		record(apiKeyId, usedAt) {
			const known = latest.get(apiKeyId);
			if (known === undefined || known < usedAt) latest.set(apiKeyId, usedAt);
		},
		take() {
			const taken = [...latest];
			latest = new Map();
			return taken.map(([apiKeyId, usedAt]) => ({ apiKeyId, usedAt }));
		},
	};
}
