import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	AccountsService,
	type AuthenticatedKeySchema,
} from "@airtower/proto/accounts/v1/accounts";
import { scopes } from "@airtower/proto/rules/scopes";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { randomApiKey } from "../random-api-key.ts";

interface FakeKey {
	readonly apiKey: string;
	readonly apiKeyId: string;
	readonly organizationId: string;
	organizationState: string;
	scopes: readonly string[];
	rateLimit: number;
	organizationRateLimit: number;
	defaultCountry: string;
	expiresAtMs?: number;
	revoked: boolean;
}

/** Keys as accounts would know them. */
export class FakeAccounts {
	readonly keys = new Map<string, FakeKey>();
	calls = 0;

	addKey(settings: Partial<Omit<FakeKey, "apiKey" | "revoked">> = {}): FakeKey {
		const key: FakeKey = {
			apiKey: randomApiKey(),
			apiKeyId: uuidv7(),
			organizationId: uuidv7(),
			organizationState: "active",
			scopes,
			rateLimit: 100_000,
			organizationRateLimit: 100_000,
			defaultCountry: "",
			revoked: false,
			...settings,
		};
		this.keys.set(key.apiKey, key);
		return key;
	}

	readonly routes = (router: ConnectRouter): void => {
		router.service(AccountsService, {
			authenticateKeys: ({ apiKeys }) => {
				this.calls++;
				return { results: apiKeys.map((apiKey) => ({ ...this.find(apiKey) })) };
			},
		});
	};

	private find(apiKey: string): {
		key?: MessageInitShape<typeof AuthenticatedKeySchema>;
	} {
		const key = this.keys.get(apiKey);
		if (key === undefined || key.revoked) return {};
		if (key.expiresAtMs !== undefined && key.expiresAtMs <= Date.now())
			return {};
		return {
			key: {
				apiKeyId: key.apiKeyId,
				organizationId: key.organizationId,
				organizationState: key.organizationState,
				scopes: [...key.scopes],
				rateLimitPerMinute: key.rateLimit,
				organizationRateLimitPerMinute: key.organizationRateLimit,
				defaultCountry: key.defaultCountry,
				...(key.expiresAtMs === undefined
					? {}
					: { expiresAt: timestampFromMs(key.expiresAtMs) }),
			},
		};
	}
}
