import type { Tx } from "@airtower/platform/database/database";
import { isUniqueViolation } from "@airtower/platform/database/sql-errors";
import { randomBase62 } from "@airtower/platform/runtime/base62";
import { conflict, invalid } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	API_KEY_RANDOM_LENGTH,
	composeApiKey,
	digestApiKey,
	maskApiKey,
} from "@airtower/proto/rules/api-key";
import { isPlain } from "@airtower/proto/rules/plain-text";
import type { Scope } from "@airtower/proto/rules/scopes";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "./context.ts";
import { MAX_ACTIVE_KEYS } from "./domain/key-bounds.ts";
import { readScopes } from "./domain/scopes.ts";
import { notPlainText, unknownOrganization } from "./errors.ts";
import {
	type ApiKeyRow,
	countActiveKeys,
	insertApiKey,
	markExpired,
} from "./store/api-keys.ts";
import { lockOrganizationState } from "./store/organization-states.ts";

export interface ApiKeyRequest {
	readonly organizationId: string;
	readonly name: string;
	/** At least one. */
	readonly scopes: readonly Scope[];
	readonly expiresAt: Date | null;
}

interface WantedApiKey {
	readonly organizationId: string;
	readonly name: string;
	readonly scopes: readonly string[];
	readonly expiresAt?: Timestamp | undefined;
}

/** Throws invalid `too_short`, `invalid_characters`, `unknown_scope` or `invalid_expiry`. */
export function readApiKeyRequest(
	wanted: WantedApiKey,
	now: Date,
): ApiKeyRequest {
	return {
		organizationId: wanted.organizationId.toLowerCase(),
		name: readName(wanted.name),
		scopes: readKnownScopes(wanted.scopes),
		expiresAt: readExpiry(wanted.expiresAt, now),
	};
}

/** Throws unknown_organization, organization_closed; a name in use violates a constraint: {@link toApiKeyRefusal}. */
export async function storeApiKey(
	ctx: Pick<Context, "peppers">,
	sql: Tx,
	wanted: ApiKeyRequest,
): Promise<{ row: ApiKeyRow; secret: string }> {
	const { organizationId, name } = wanted;
	await assertTakesKeys(sql, organizationId);
	await markExpired(sql, organizationId, name);
	if ((await countActiveKeys(sql, organizationId)) >= MAX_ACTIVE_KEYS)
		throw tooManyKeys();
	const secret = composeApiKey(randomBase62(API_KEY_RANDOM_LENGTH));
	const row = await insertApiKey(sql, {
		...wanted,
		id: uuidv7(),
		prefix: maskApiKey(secret),
		pepperId: ctx.peppers.current.id,
		digest: digestApiKey(secret, ctx.peppers.current.secret),
	});
	return { row, secret };
}

/** What the audit keeps of a key. */
export function apiKeyFacts({ name, prefix, scopes, expiresAt }: ApiKeyRow) {
	const expires_at = expiresAt?.toISOString() ?? null;
	return { name, prefix, scopes, expires_at };
}

export function toApiKeyRefusal(error: unknown): unknown {
	if (!isUniqueViolation(error, "api_keys_active_name_unique")) return error;
	return conflict(
		"api_key_exists",
		"An active key of this name exists; revoke it or choose another name.",
		{ cause: error },
	);
}

function tooManyKeys() {
	return conflict(
		"api_key_limit_reached",
		`An organization has at most ${MAX_ACTIVE_KEYS} active keys; revoke one that is not needed.`,
	);
}

async function assertTakesKeys(sql: Tx, organizationId: string): Promise<void> {
	const state = await lockOrganizationState(sql, organizationId);
	if (state === undefined) throw unknownOrganization();
	if (state === "closed")
		throw conflict(
			"organization_closed",
			"The organization is closed: it gets no new keys.",
		);
}

function readName(text: string): string {
	const name = text.trim();
	if (name === "")
		throw invalid("too_short", "name", "Field name: must not be blank.");
	if (!isPlain(name)) throw notPlainText("name", "invalid_characters");
	return name;
}

function readKnownScopes(wanted: readonly string[]): Scope[] {
	const scopes = readScopes(wanted);
	if (scopes !== undefined) return scopes;
	throw invalid("unknown_scope", "scopes", "A scope is not known.");
}

function readExpiry(wanted: Timestamp | undefined, now: Date): Date | null {
	if (wanted === undefined) return null;
	const expiresAt = timestampDate(wanted);
	if (expiresAt > now) return expiresAt;
	throw invalid(
		"invalid_expiry",
		"expires_at",
		"Field expires_at: must be in the future.",
	);
}
