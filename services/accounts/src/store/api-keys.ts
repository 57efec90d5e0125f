import {
	BYTEA_ARRAY,
	type Queryable,
	type Tx,
} from "@airtower/platform/database/database";
import { type ApiKeyState, REVOCABLE_STATES } from "../domain/api-key-state.ts";
import type { OrganizationState } from "../domain/organization-state.ts";
import type { Scope } from "../domain/scopes.ts";
import { type Page, pageClauses } from "./page.ts";

export interface NewApiKey {
	readonly id: string;
	readonly organizationId: string;
	readonly name: string;
	readonly prefix: string;
	readonly pepperId: string;
	readonly digest: Buffer;
	readonly scopes: readonly string[];
	readonly expiresAt: Date | null;
}

/** A key as lists show it. */
export interface ApiKeyRow {
	readonly id: string;
	readonly name: string;
	readonly prefix: string;
	readonly scopes: Scope[];
	readonly state: ApiKeyState;
	readonly createdAt: Date;
	readonly expiresAt: Date | null;
	readonly lastUsedAt: Date | null;
}

function apiKeyColumns(sql: Queryable) {
	return sql`
		id,
		name,
		prefix,
		scopes,
		state,
		created_at as "createdAt",
		expires_at as "expiresAt",
		last_used_at as "lastUsedAt"
	`;
}

/** A digest under one of the peppers. */
export interface KeyDigest {
	readonly pepperId: string;
	readonly digest: Buffer;
}

/** A key that may be used now. */
export interface UsableKeyRow extends KeyDigest {
	readonly id: string;
	readonly organizationId: string;
	readonly organizationState: OrganizationState;
	readonly defaultCountry: string | null;
	readonly scopes: string[];
	readonly requestsPerMinute: number;
	readonly expiresAt: Date | null;
}

export interface KeyUse {
	readonly apiKeyId: string;
	readonly usedAt: Date;
}

/** Fails with a violation of `api_keys_active_name_unique` when an active key has the name. */
export async function insertApiKey(
	sql: Tx,
	key: NewApiKey,
): Promise<ApiKeyRow> {
	const [row] = await sql<[ApiKeyRow]>`
		insert into api_keys (
			id, organization_id, name, prefix, pepper_id, digest, scopes, state, expires_at
		)
		values (
			${key.id},
			${key.organizationId},
			${key.name},
			${key.prefix},
			${key.pepperId},
			${key.digest},
			${[...key.scopes]},
			'active',
			${key.expiresAt}
		)
		returning ${apiKeyColumns(sql)}
	`;
	return row;
}

/** One page of the organization's keys that are not revoked, newest first, and one more. */
export async function listApiKeys(
	sql: Queryable,
	organizationId: string,
	page: Page,
): Promise<ApiKeyRow[]> {
	return sql<ApiKeyRow[]>`
		select ${apiKeyColumns(sql)}
		from api_keys
		where organization_id = ${organizationId}
		and state <> 'revoked'
		${pageClauses(sql, page)}
	`;
}

/** The scopes of a key that may be used now, which cannot be revoked until the transaction ends; none for any other. */
export async function lockUsableScopes(
	sql: Tx,
	organizationId: string,
	apiKeyId: string,
): Promise<Scope[]> {
	const [row] = await sql<{ scopes: Scope[] }[]>`
		select scopes
		from api_keys
		where organization_id = ${organizationId}
		and id = ${apiKeyId}
		and state = 'active'
		and (expires_at is null or expires_at > now())
		for share
	`;
	return row?.scopes ?? [];
}

/**
 * Finds active, unexpired keys, of all organizations in any state. The lateral join with a limit keeps the planner to
 * one look-up for each, however small the tables were when the statement was prepared.
 */
export async function findUsableKeys(
	sql: Queryable,
	digests: readonly KeyDigest[],
): Promise<UsableKeyRow[]> {
	return sql<UsableKeyRow[]>`
		select wanted.pepper_id as "pepperId", wanted.digest, found.*
		from unnest(
			${digests.map((one) => one.pepperId)}::text[],
			${sql.array(
				digests.map((one) => one.digest),
				BYTEA_ARRAY,
			)}::bytea[]
		) as wanted (pepper_id, digest)
		cross join lateral (
			select
				k.id,
				k.organization_id as "organizationId",
				o.state as "organizationState",
				o.default_country as "defaultCountry",
				k.scopes,
				p.requests_per_minute as "requestsPerMinute",
				k.expires_at as "expiresAt"
			from api_keys k
			join organizations o on o.id = k.organization_id
			join subscriptions s on s.organization_id = k.organization_id
			join plans p on p.name = s.plan
			where k.pepper_id = wanted.pepper_id
			and k.digest = wanted.digest
			and k.state = 'active'
			and (k.expires_at is null or k.expires_at > now())
			limit 1
		) as found
	`;
}

/** Frees the name of an active key whose time is over. */
export async function markExpired(
	sql: Tx,
	organizationId: string,
	name: string,
): Promise<void> {
	await sql`
		update api_keys
		set state = 'expired'
		where organization_id = ${organizationId}
		and name = ${name}
		and state = 'active'
		and expires_at <= now()
	`;
}

/** Answers whether there was such a key to revoke. */
export async function markRevoked(
	sql: Tx,
	organizationId: string,
	apiKeyId: string,
): Promise<boolean> {
	const revoked = await sql`
		update api_keys
		set
			state = 'revoked',
			revoked_at = now()
		where organization_id = ${organizationId}
		and id = ${apiKeyId}
		and state in ${sql(REVOCABLE_STATES)}
	`;
	return revoked.count === 1;
}

/** Moves last_used_at forward, never back, locking in id order: replicas write the same keys. */
export async function updateLastUsed(
	sql: Tx,
	uses: readonly KeyUse[],
): Promise<void> {
	await sql`
		with used as (
			select api_key_id, used_at
			from unnest(
				${uses.map((use) => use.apiKeyId)}::uuid[],
				${uses.map((use) => use.usedAt.toISOString())}::timestamptz[]
			) as u (api_key_id, used_at)
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
