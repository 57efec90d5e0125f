import { z } from "zod";
import { givenTime, text, time, uuidText } from "./common.ts";
import { examples, senderIdExample, timeExample } from "./examples.ts";

const MAX_NAME = 200;
const MAX_TEMPLATE = 1_600;
const MAX_TAG = 64;
const MAX_TAGS = 50;
const MAX_RECIPIENTS = 100_000;
const MAX_RECIPIENT = 64;
const MAX_SENDER_NAME = 32;

const template = () =>
	text().min(1).max(MAX_TEMPLATE).meta({
		description:
			"Text of the messages, of at most 10 parts without the names. `{{name}}` stands for the contact's name, `{{name|there}}` falls back to `there`.",
	});

const startTime = () =>
	givenTime().meta({
		pattern: undefined,
		description:
			"When to send, RFC 3339, in the future and within one year. At once when absent.",
	});

const tagMatch = z.enum(["all", "any"]);

const name = text().min(1).max(MAX_NAME);

/** The formal form: an audience of contacts, chosen by tags. */
const tagCampaign = z.strictObject({
	name,
	message_template: template(),
	scheduled_at: startTime().optional(),
	sender_id: z.uuid().optional().meta({
		pattern: undefined,
		description: "Approved sender ID; the default one when absent.",
	}),
	audience_tags: z.array(text().min(1).max(MAX_TAG)).min(1).max(MAX_TAGS),
	audience_tag_match_mode: tagMatch.optional().meta({
		description: "`all` (the default) or `any` of the tags.",
	}),
});

/** The form of the guides: a list of phone numbers. */
const listCampaign = z.strictObject({
	name,
	content: template(),
	scheduledAt: startTime().optional(),
	senderName: text().min(1).max(MAX_SENDER_NAME).optional().meta({
		description: "Name of an approved sender; the default one when absent.",
	}),
	recipients: z
		.array(text().max(MAX_RECIPIENT))
		.min(1)
		.max(MAX_RECIPIENTS)
		.meta({
			description:
				"Phone numbers. An invalid one, or one given twice, is counted as skipped.",
		}),
});

export const createCampaignBody = z
	.union([tagCampaign, listCampaign])
	.meta({ id: "CreateCampaignRequest" })
	.register(examples, {
		example: {
			name: "Spring sale",
			message_template: "Hello {{name|there}}, 20 % off until Sunday.",
			sender_id: senderIdExample,
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
		},
	});

export type TagCampaign = z.infer<typeof tagCampaign>;
export type ListCampaign = z.infer<typeof listCampaign>;

export const campaign = z
	.strictObject({
		id: uuidText(),
		name: z.string(),
		status: z.enum([
			"scheduled",
			"sending",
			"paused",
			"completed",
			"completed_with_errors",
			"failed",
		]),
		status_reason: z.string().nullable().meta({
			description:
				"Why it is paused (`quota_exhausted`, `organization_suspended`, `sender_not_approved`, `unknown_sender`) or failed (`no_audience`: nobody was sent to).",
		}),
		message_template: z.string(),
		sender_id: uuidText(),
		sender_name: z.string(),
		audience_tags: z.array(z.string()),
		audience_tag_match_mode: tagMatch,
		scheduled_at: time().nullable(),
		started_at: time().nullable(),
		completed_at: time().nullable(),
		created_at: time(),
		stats: z.strictObject({
			audience: z.int().meta({ description: "Recipients in all." }),
			skipped: z.int().meta({ description: "Recipients left out." }),
			accepted: z.int().meta({ description: "Messages accepted." }),
			delivered: z.int(),
			failed: z.int(),
			pending: z.int().meta({
				description: "Recipients and messages without an outcome yet.",
			}),
		}),
	})
	.meta({ id: "Campaign" })
	.register(examples, {
		example: {
			id: "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
			name: "Spring sale",
			status: "sending",
			status_reason: null,
			message_template: "Hello {{name|there}}, 20 % off until Sunday.",
			sender_id: senderIdExample,
			sender_name: "ACME",
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
			scheduled_at: null,
			started_at: timeExample,
			completed_at: null,
			created_at: timeExample,
			stats: {
				audience: 1_200,
				skipped: 0,
				accepted: 1_200,
				delivered: 1_180,
				failed: 4,
				pending: 16,
			},
		},
	});
