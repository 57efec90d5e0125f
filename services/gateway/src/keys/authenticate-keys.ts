import type { AuthenticatedKey } from "@airtower/proto/accounts/v1/accounts";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Clients } from "../clients.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";

/** Asks accounts for many keys at once; returns one result per key, `null` for a key that is not good. */
export async function authenticateKeys(
	{ accounts }: Pick<Clients, "accounts">,
	apiKeys: string[],
): Promise<(VerifiedKey | null)[]> {
	const { results } = await accounts.authenticateKeys({ apiKeys });
	return results.map(({ key }) =>
		key === undefined ? null : toVerifiedKey(key),
	);
}

function toVerifiedKey(key: AuthenticatedKey): VerifiedKey {
	return {
		apiKeyId: key.apiKeyId,
		organizationId: key.organizationId,
		organizationState: key.organizationState,
		scopes: new Set(key.scopes),
		rateLimit: key.rateLimitPerMinute,
		organizationRateLimit: Math.max(
			key.rateLimitPerMinute,
			key.organizationRateLimitPerMinute,
		),
		expiresAtMs:
			key.expiresAt === undefined
				? Number.POSITIVE_INFINITY
				: timestampMs(key.expiresAt),
		defaultCountry: key.defaultCountry,
	};
}
