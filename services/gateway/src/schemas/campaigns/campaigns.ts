import { z } from "zod";
import { uuidText } from "../common.ts";
import { examples, senderIdExample, timeExample } from "../examples.ts";
import { time } from "../times.ts";
import { tagMatch } from "./campaign-requests.ts";

export const campaignParams = z.strictObject({
	campaignId: z
		.string()
		.meta({ format: "uuid", description: "Id of the campaign." }),
});

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
			"cancelled",
		]),
		status_reason: z
			.string()
			.nullable()
			.meta({
				description: [
					"Why it is paused (`requested`, `quota_exhausted`, `quota_share_used`: campaigns have used their share of",
					"what was granted and leave the rest to single sends, `organization_suspended`, `sender_not_approved`,",
					"`unknown_sender`) or failed (`no_audience`: nobody was sent to).",
				].join(" "),
			}),
		message_template: z.string().meta({
			description:
				"Empty once the campaign has ended and the time for which texts are kept is over.",
		}),
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
			skipped: z.int().meta({
				description: "Left out, among them those that were given twice.",
			}),
			duplicates: z.int().meta({
				description:
					"Given twice: they get their message once, and are no error.",
			}),
			accepted: z.int().meta({ description: "Messages accepted." }),
			delivered: z.int(),
			failed: z.int(),
			pending: z.int().meta({
				description: "Recipients and messages without an outcome yet.",
			}),
		}),
	})
	.meta({ id: "Campaign", description: "A campaign and how far it is." })
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
				duplicates: 0,
				accepted: 1_200,
				delivered: 1_180,
				failed: 4,
				pending: 16,
			},
		},
	});
