import type { Db } from "@airtower/platform/database/database";
import { LRUCache } from "lru-cache";
import {
	findSenders,
	type SenderRow,
	type WantedSenders,
} from "../store/sender-ids.ts";

/** Time that an approved sender is remembered, ms: what another process decides counts after this at the latest. */
const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/** Approved senders that were looked up just now; nothing else is remembered, so that an approval counts at once. */
export interface SenderMemory {
	find(wanted: WantedSenders): Promise<SenderRow[]>;
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
		async find({ byId, byValue, defaultsOf }) {
			const known: SenderRow[] = [];
			const isUnknown = (key: string) => {
				const row = remembered.get(key);
				if (row !== undefined) known.push(row);
				return row === undefined;
			};
			const unknown = {
				byId: byId.filter((one) => isUnknown(idKey(one))),
				byValue: byValue.filter((one) => isUnknown(valueKey(one))),
				defaultsOf: defaultsOf.filter((id) => isUnknown(defaultKey(id))),
			};
			if (Object.values(unknown).every((list) => list.length === 0))
				return known;
			const found = await findSenders(sql, unknown);
			for (const row of found)
				if (row.status === "approved")
					for (const key of toKeys(row)) remembered.set(key, row);
			return [...known, ...found];
		},
		forget(organizationId) {
			for (const [key, row] of [...remembered.entries()])
				if (row.organizationId === organizationId) remembered.delete(key);
		},
	};
}

function toKeys(row: SenderRow): string[] {
	const keys = [idKey(row), valueKey(row)];
	return row.isDefault ? [...keys, defaultKey(row.organizationId)] : keys;
}

function idKey(one: { organizationId: string; id: string }): string {
	return `id ${one.organizationId} ${one.id.toLowerCase()}`;
}

function valueKey(one: { organizationId: string; value: string }): string {
	return `value ${one.organizationId} ${one.value}`;
}

function defaultKey(organizationId: string): string {
	return `default ${organizationId}`;
}
