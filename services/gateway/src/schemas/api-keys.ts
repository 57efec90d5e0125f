import { scopes } from "@airtower/proto/rules/scopes";
import { z } from "zod";
import { successBody, uuidText } from "./common.ts";
import { examples, timeExample } from "./examples.ts";
import { nameText } from "./texts.ts";
import { givenTime, time } from "./times.ts";

const MAX_NAME = 100;

const scope = z.enum(scopes);

export const createApiKeyBody = z
	.strictObject({
		name: nameText(MAX_NAME).meta({
			description: "Unique among the organization's active keys.",
		}),
		scopes: z.array(scope).min(1).max(scopes.length).optional().meta({
			description:
				"What the key may do, nothing that the key of this request may not. The same as that key when absent.",
		}),
		expires_at: givenTime()
			.optional()
			.meta({
				pattern: undefined,
				description: [
					"RFC 3339, in the future, not after the end of the calling key.",
					"With that key when absent, never if that never ends.",
				].join(" "),
			}),
	})
	.meta({ id: "CreateApiKeyRequest", description: "A new API key." })
	.register(examples, {
		example: { name: "billing backend", scopes: ["sms:send"] },
	});

export const apiKeyParams = z.strictObject({
	apiKeyId: z
		.string()
		.meta({ format: "uuid", description: "Id of the API key." }),
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
	.meta({ id: "ApiKey", description: "An API key, without its secret." })
	.register(examples, {
		example: {
			id: "0199b0a6-2d3e-7f40-9b5c-6d7e8f9a0b1c",
			name: "billing backend",
			prefix: "at_live_5kq0****",
			scopes: ["sms:send"],
			status: "active",
			created_at: timeExample,
			expires_at: null,
			last_used_at: null,
		},
	});

export const createApiKeyReply = successBody({
	apiKey,
	secret: z
		.string()
		.meta({
			description:
				"The key itself, `at_live_` and 38 characters. Shown this once.",
		})
		.register(examples, {
			example: "at_live_5kq0VtY2mB8nXcR1sLw7DgJ4hFzP9aTe4Xk2Qd",
		}),
});
