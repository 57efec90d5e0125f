import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { type KeyBounds, NO_KEY } from "../domain/key-bounds.ts";
import type { OrganizationState } from "../domain/organization-state.ts";

export interface KeyDigest {
	readonly pepperId: string;
	readonly digest: Buffer;
}

export interface UsableKeyRow extends KeyDigest {
	readonly id: string;
	readonly organizationId: string;
	readonly organizationState: OrganizationState;
	readonly defaultCountry: string | null;
	readonly scopes: string[];
	readonly requestsPerMinute: number;
	readonly organizationRequestsPerMinute: number;
	readonly expiresAt: Date | null;
}

/** Keys of organizations in any state. */
export async function findUsableKeys(
	sql: Queryable,
	digests: readonly KeyDigest[],
): Promise<UsableKeyRow[]> {
	return sql<UsableKeyRow[]>`
		select given.pepper_id as "pepperId", given.digest, found.*
		from ${unnest(sql, digests, { pepperId: "text", digest: "bytea" })}
		cross join lateral (
			select
				k.id,
				k.organization_id as "organizationId",
				o.state as "organizationState",
				o.default_country as "defaultCountry",
				k.scopes,
				p.requests_per_minute as "requestsPerMinute",
				p.organization_requests_per_minute as "organizationRequestsPerMinute",
				k.expires_at as "expiresAt"
			from api_keys k
			join organizations o on o.id = k.organization_id
			join subscriptions s on s.organization_id = k.organization_id
			join plans p on p.name = s.plan
			where k.pepper_id = given.pepper_id
			and k.digest = given.digest
			and k.state = 'active'
			and (k.expires_at is null or k.expires_at > now())
			limit 1
		) as found
	`;
}

/** None for a key that may not be used; any other cannot be revoked until the transaction ends. */
export async function lockUsableKey(
	sql: Tx,
	organizationId: string,
	apiKeyId: string,
): Promise<KeyBounds> {
	const [row] = await sql<KeyBounds[]>`
		select scopes, expires_at as "expiresAt"
		from api_keys
		where organization_id = ${organizationId}
		and id = ${apiKeyId}
		and state = 'active'
		and (expires_at is null or expires_at > now())
		for share
	`;
	return row ?? NO_KEY;
}

interface KeyUse {
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
