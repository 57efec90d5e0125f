import { z } from "zod";
import { uuidText } from "./common.ts";
import { examples, timeExample } from "./examples.ts";
import { time } from "./times.ts";

/** What was true of the subject, by names that depend on the action. */
const auditFacts = z.record(
	z.string(),
	z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
);

export const auditEntry = z
	.strictObject({
		id: uuidText(),
		actor: z
			.strictObject({
				type: z.enum(["api_key", "platform"]),
				api_key_id: uuidText().nullable(),
			})
			.meta({
				description: "An API key of the organization, or the platform.",
			}),
		address: z.string().nullable().meta({
			description: "Network address from which an API key was used.",
		}),
		action: z.string().meta({
			description: [
				"What was done, for example `create_api_key`, `delete_api_key`, `grant_quota` or `set_organization_state`.",
				"New ones may be added.",
			].join(" "),
		}),
		subject: z.string().nullable().meta({
			description: "What it was done to; null: the organization.",
		}),
		before: auditFacts.nullable(),
		after: auditFacts.nullable(),
		created_at: time(),
	})
	.meta({
		id: "AuditEntry",
		description: "One act that changed the organization.",
	})
	.register(examples, {
		example: {
			id: "0199b0a4-5f1d-7000-8000-000000000002",
			actor: {
				type: "api_key",
				api_key_id: "0199b0a2-1b3c-7d4e-8f50-617283940516",
			},
			address: "203.0.113.7",
			action: "create_api_key",
			subject: "0199b0a4-5f1d-7000-8000-000000000003",
			before: null,
			after: {
				name: "ci",
				prefix: "at_live_abcd****",
				scopes: ["sms:send"],
				expires_at: null,
			},
			created_at: timeExample,
		},
	});
