import { callerOf } from "@airtower/platform/rpc/caller";
import type {
	AccountsService,
	KeyResultSchema,
} from "@airtower/proto/accounts/v1/accounts";
import { digestApiKey, isApiKey } from "@airtower/proto/rules/api-key";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import {
	findUsableKeys,
	type KeyDigest,
	type UsableKeyRow,
} from "../store/usable-keys.ts";
import type { Handler } from "./handler.ts";

type KeyResultInit = MessageInitShape<typeof KeyResultSchema>;

/** For a caller bound to an organization every other one's keys are unknown. */
export const authenticateKeys: Handler<
	typeof AccountsService.method.authenticateKeys
> = async (ctx, request, context) => {
	const digests = request.apiKeys.map((key) => toDigests(ctx, key));
	const found = await findKeys(ctx, digests.flat());
	const { organization } = callerOf(context);
	const keys = digests.map((candidates) => {
		const key = candidates.map((one) => found.get(digestId(one))).find(Boolean);
		const visible =
			organization === "*" || organization === key?.organizationId;
		return visible ? key : undefined;
	});
	recordUse(ctx, keys);
	return { results: keys.map(toResult) };
};

/** The digests under which the key may be stored; none for a text that is no key. */
function toDigests(ctx: Context, key: string): KeyDigest[] {
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
	return new Map(rows.map((row) => [digestId(row), row]));
}

function digestId({ pepperId, digest }: KeyDigest): string {
	return `${pepperId} ${digest.toString("base64")}`;
}

function recordUse(
	ctx: Context,
	keys: readonly (UsableKeyRow | undefined)[],
): void {
	const now = ctx.clock();
	for (const key of keys) {
		if (key !== undefined) ctx.keyUsage.set(key.id, now);
		const result = key === undefined ? "refused" : "valid";
		ctx.telemetry.keyChecks.inc({ result });
	}
}

function toResult(key: UsableKeyRow | undefined): KeyResultInit {
	if (key === undefined) return {};
	return {
		key: {
			apiKeyId: key.id,
			organizationId: key.organizationId,
			organizationState: key.organizationState,
			scopes: key.scopes,
			rateLimitPerMinute: key.requestsPerMinute,
			organizationRateLimitPerMinute: key.organizationRequestsPerMinute,
			defaultCountry: key.defaultCountry ?? "",
			...(key.expiresAt === null
				? {}
				: { expiresAt: timestampFromDate(key.expiresAt) }),
		},
	};
}
