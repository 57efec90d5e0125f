import {
	isUniqueViolation,
	type Tx,
	transaction,
} from "@airtower/platform/database";
import { randomBase62, uuidv7 } from "@airtower/platform/ids";
import { assertOrganization } from "@airtower/platform/rpc-caller";
import type {
	IssueApiKeyRequest,
	IssueApiKeyResponseSchema,
} from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import {
	API_KEY_RANDOM_LENGTH,
	composeApiKey,
	digestApiKey,
	maskApiKey,
} from "../domain/api-key.ts";
import { chooseScopes, type Scope } from "../domain/scopes.ts";
import { hasControlCharacters } from "../domain/text.ts";
import { conflict, invalid, unknownOrganization } from "../errors.ts";
import {
	insertApiKey,
	markExpired,
	type NewApiKey,
} from "../store/api-keys.ts";
import { lockOrganizationState } from "../store/organizations.ts";

/** Issues a key. What is stored cannot be turned back into it: this answer is the only one that holds it. */
export async function issueApiKey(
	ctx: AccountsContext,
	request: IssueApiKeyRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof IssueApiKeyResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const secret = composeApiKey(randomBase62(API_KEY_RANDOM_LENGTH));
	const key: NewApiKey = {
		id: uuidv7(),
		organizationId: request.organizationId.toLowerCase(),
		name: readName(request.name),
		prefix: maskApiKey(secret),
		pepperId: ctx.peppers.current.id,
		digest: digestApiKey(secret, ctx.peppers.current.secret),
		scopes: readScopes(request.scopes),
		expiresAt: readExpiry(request, ctx.clock()),
	};
	try {
		await transaction(ctx.sql, (sql) => store(sql, key));
	} catch (error) {
		throw refusalOf(error);
	}
	return { apiKeyId: key.id, secret };
}

function readName(text: string): string {
	const name = text.trim();
	if (name !== "" && !hasControlCharacters(name)) return name;
	throw invalid(
		"validation_failed",
		"name",
		"Field name: must be text without control characters.",
	);
}

function readScopes(wanted: readonly string[]): Scope[] {
	const scopes = chooseScopes(wanted);
	if (scopes !== undefined) return scopes;
	throw invalid("unknown_scope", "scopes", "A scope is not known.");
}

function readExpiry(request: IssueApiKeyRequest, now: Date): Date | null {
	if (request.expiresAt === undefined) return null;
	const expiresAt = timestampDate(request.expiresAt);
	if (expiresAt > now) return expiresAt;
	throw invalid(
		"invalid_expiry",
		"expires_at",
		"Field expires_at: must be in the future.",
	);
}

async function store(sql: Tx, key: NewApiKey): Promise<void> {
	const state = await lockOrganizationState(sql, key.organizationId);
	if (state === undefined) throw unknownOrganization();
	if (state === "closed")
		throw conflict(
			"organization_closed",
			"The organization is closed: it gets no new keys.",
		);
	await markExpired(sql, key.organizationId, key.name);
	await insertApiKey(sql, key);
}

function refusalOf(error: unknown): unknown {
	if (!isUniqueViolation(error, "api_keys_active_name_unique")) return error;
	return conflict(
		"api_key_exists",
		"An active key of this name exists; revoke it or choose another name.",
		error,
	);
}
