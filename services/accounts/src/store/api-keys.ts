import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { Scope } from "@airtower/proto/rules/scopes";
import { type ApiKeyState, REVOCABLE_STATES } from "../domain/api-key-state.ts";
import { type Page, pageClauses } from "./page.ts";

interface NewApiKey {
	readonly id: string;
	readonly organizationId: string;
	readonly name: string;
	readonly prefix: string;
	readonly pepperId: string;
	readonly digest: Buffer;
	readonly scopes: readonly string[];
	readonly expiresAt: Date | null;
}

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

export type RevokedKeyRow = Pick<
	ApiKeyRow,
	"name" | "prefix" | "scopes" | "state"
>;

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

/** Keys that may be used now. */
export async function countActiveKeys(
	sql: Queryable,
	organizationId: string,
): Promise<number> {
	const [row] = await sql<[{ active: number }]>`
		select count(*)::int as active
		from api_keys
		where organization_id = ${organizationId}
		and state = 'active'
		and (expires_at is null or expires_at > now())
	`;
	return row.active;
}

/** Returns what the key was; undefined when there was no such key to revoke. */
export async function markRevoked(
	sql: Tx,
	organizationId: string,
	apiKeyId: string,
): Promise<RevokedKeyRow | undefined> {
	const [revoked] = await sql<RevokedKeyRow[]>`
		update api_keys
		set
			state = 'revoked',
			revoked_at = now()
		where organization_id = ${organizationId}
		and id = ${apiKeyId}
		and state in ${sql(REVOCABLE_STATES)}
		returning name, prefix, scopes, old.state
	`;
	return revoked;
}
