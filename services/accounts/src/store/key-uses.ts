import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";

export interface KeyUse {
	readonly apiKeyId: string;
	readonly usedAt: Date;
}

/** Locks in id order: replicas write the same keys. */
export async function updateLastUsed(
	sql: Tx,
	uses: readonly KeyUse[],
): Promise<void> {
	await sql`
		with used as (
			select api_key_id, used_at
			from ${unnest(sql, uses, { apiKeyId: "uuid", usedAt: "timestamptz" })}
		),
		locked as (
			select k.id, used.used_at
			from api_keys k
			join used on used.api_key_id = k.id
			order by k.id
			for update of k
		)
		update api_keys k
		set last_used_at = greatest(k.last_used_at, locked.used_at)
		from locked
		where k.id = locked.id
	`;
}
