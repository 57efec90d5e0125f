import type { AuthenticatedKey } from "@airtower/proto/accounts/v1/accounts";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Clients } from "../clients.ts";

export interface VerifiedKey {
	readonly apiKeyId: string;
	readonly organizationId: string;
	/** "trial", "active", "past_due", "suspended" or "closed". */
	readonly organizationState: string;
	readonly scopes: ReadonlySet<string>;
	/** Requests allowed per 60-second window. */
	readonly rateLimit: number;
	/** As {@link rateLimit}, of all keys of the organization together. */
	readonly organizationRateLimit: number;
	/** Infinity for never. */
	readonly expiresAtMs: number;
	/** ISO 3166-1 alpha-2, empty for none. */
	readonly defaultCountry: string;
}

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
