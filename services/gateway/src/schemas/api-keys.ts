import { z } from "zod";
import { allScopes } from "../domain/access.ts";
import { filledText, givenTime, success, time, uuidText } from "./common.ts";
import { nextCursor } from "./pages.ts";

const MAX_NAME = 100;

const scope = z.enum(allScopes);

export const createApiKeyBody = z
	.strictObject({
		name: filledText(MAX_NAME).meta({
			description: "Unique among the organization's active keys.",
		}),
		scopes: z.array(scope).min(1).optional().meta({
			description:
				"What the key may do, nothing that the key of this request may not. The same as that key when absent.",
		}),
		expires_at: givenTime().optional().meta({
			pattern: undefined,
			description: "RFC 3339, in the future. Never when absent.",
		}),
	})
	.meta({ id: "CreateApiKeyRequest" });

export const apiKeyParams = z.strictObject({
	apiKeyId: z.string().meta({ format: "uuid" }),
});

export const apiKey = z
	.strictObject({
		id: uuidText(),
		name: z.string(),
		prefix: z.string().meta({ description: "The key, masked." }),
		scopes: z.array(z.string()),
		status: z.enum(["active", "expired", "revoked"]),
		created_at: time(),
		expires_at: time().nullable(),
		last_used_at: time().nullable(),
	})
	.meta({ id: "ApiKey" });

export type ApiKeyRecord = z.infer<typeof apiKey>;

export const apiKeyReply = z.strictObject({
	success,
	apiKey,
	secret: z.string().meta({
		description:
			"The key itself, `at_live_` and 38 characters. Shown this once.",
	}),
});

export const apiKeysReply = z.strictObject({
	success,
	apiKeys: z.array(apiKey),
	nextCursor,
});
