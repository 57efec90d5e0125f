import type { Db } from "@airtower/platform/database/database";
import { LRUCache } from "lru-cache";
import {
	findSenders,
	type SenderRow,
	type WantedSender,
} from "../store/senders/senders.ts";

/** What another process decides counts after this at the latest, ms. */
const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/** Approved senders that were looked up just now; nothing else is remembered, so that an approval counts at once. */
export interface SenderMemory {
	/** By the keys of those that were found. */
	find(
		wanted: readonly WantedSender[],
	): Promise<ReadonlyMap<string, SenderRow>>;
	forget(organizationId: string): void;
}

/** @param now a clock that never goes back, ms, above 0 */
export function createSenderMemory(
	sql: Db,
	now: () => number = () => performance.now(),
): SenderMemory {
	const remembered = new LRUCache<string, SenderRow>({
		max: MAX_REMEMBERED,
		ttl: REMEMBERED_MS,
		ttlResolution: 0,
		perf: { now },
	});
	return {
		async find(wanted) {
			const found = new Map<string, SenderRow>();
			const missing = new Map<string, WantedSender>();
			for (const one of wanted) {
				const key = senderKey(one);
				const row = remembered.get(key);
				if (row === undefined) missing.set(key, one);
				else found.set(key, row);
			}
			if (missing.size === 0) return found;
			for (const row of await findSenders(sql, [...missing.values()]))
				for (const key of keysOf(row)) {
					found.set(key, row);
					if (row.status === "approved") remembered.set(key, row);
				}
			return found;
		},
		forget(organizationId) {
			for (const [key, row] of [...remembered.entries()])
				if (row.organizationId === organizationId) remembered.delete(key);
		},
	};
}

export function senderKey({ organizationId, id, value }: WantedSender): string {
	if (id) return `id ${organizationId} ${id.toLowerCase()}`;
	return value ? `value ${organizationId} ${value}` : organizationId;
}

function keysOf({ organizationId, id, value, isDefault }: SenderRow): string[] {
	const names = [{ id }, { value }, ...(isDefault ? [{}] : [])];
	return names.map((name) => senderKey({ organizationId, ...name }));
}
