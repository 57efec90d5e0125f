import { callerOf } from "@airtower/platform/rpc/caller";
import type {
	AccountsService,
	KeyResultSchema,
} from "@airtower/proto/accounts/v1/accounts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { digestApiKey, isApiKey } from "../domain/api-key.ts";
import {
	findUsableKeys,
	type KeyDigest,
	type UsableKeyRow,
} from "../store/usable-keys.ts";
import type { Handler } from "./handler.ts";

type KeyResultInit = MessageInitShape<typeof KeyResultSchema>;

/**
 * Verifies keys by one query for the batch. A caller bound to an organization sees its keys only:
 * another's is answered like one that does not exist.
 */
export const authenticateKeys: Handler<
	typeof AccountsService.method.authenticateKeys
> = async (ctx, request, context) => {
	const digests = request.apiKeys.map((key) => digestsOf(ctx, key));
	const found = await findKeys(ctx, digests.flat());
	const { organization } = callerOf(context);
	const keys = digests.map((candidates) => {
		const key = candidates.map((one) => found.get(idOf(one))).find(Boolean);
		const visible =
			organization === "*" || organization === key?.organizationId;
		return visible ? key : undefined;
	});
	noteUse(ctx, keys);
	return { results: keys.map(keyResult) };
};

/** The digests under which the key may be stored; none for a text that is no key. */
function digestsOf(ctx: Context, key: string): KeyDigest[] {
	if (!isApiKey(key)) return [];
	return [...ctx.peppers.all].map(([pepperId, pepper]) => ({
		pepperId,
		digest: digestApiKey(key, pepper),
	}));
}

async function findKeys(
	ctx: Context,
	digests: readonly KeyDigest[],
): Promise<Map<string, UsableKeyRow>> {
	if (digests.length === 0) return new Map();
	const rows = await findUsableKeys(ctx.sql, digests);
	return new Map(rows.map((row) => [idOf(row), row]));
}

function idOf({ pepperId, digest }: KeyDigest): string {
	return `${pepperId} ${digest.toString("base64")}`;
}

function noteUse(
	ctx: Context,
	keys: readonly (UsableKeyRow | undefined)[],
): void {
	const now = ctx.clock();
	const valid = keys.filter((key) => key !== undefined);
	for (const key of valid) ctx.keyUsage.record(key.id, now);
	ctx.telemetry.keyChecks.inc({ result: "valid" }, valid.length);
	ctx.telemetry.keyChecks.inc(
		{ result: "refused" },
		keys.length - valid.length,
	);
}

function keyResult(key: UsableKeyRow | undefined): KeyResultInit {
	if (key === undefined) return {};
	return {
		key: {
			apiKeyId: key.id,
			organizationId: key.organizationId,
			organizationState: key.organizationState,
			scopes: key.scopes,
			rateLimitPerMinute: key.requestsPerMinute,
			defaultCountry: key.defaultCountry ?? "",
			...(key.expiresAt === null
				? {}
				: { expiresAt: timestampFromDate(key.expiresAt) }),
		},
	};
}
