import { z } from "zod";
import { examples } from "../examples.ts";
import { filledText, nameText, plainText, text } from "../texts.ts";
import { givenTime } from "../times.ts";

const MAX_NAME = 200;
const MAX_TEMPLATE = 1_600;
const MAX_TAG = 64;
const MAX_TAGS = 50;
const MAX_RECIPIENTS = 100_000;
const MAX_RECIPIENT = 64;
/** Bad entries of the list that are told of. */
const MOST_BAD = 100;
const MAX_SENDER_NAME = 32;

const template = () =>
	filledText(MAX_TEMPLATE).meta({
		description: [
			"Text of the messages, of at most 10 parts without the names.",
			"`{{name}}` stands for the contact's name, `{{name|there}}` falls back to `there`.",
		].join(" "),
	});

const startTime = () =>
	givenTime().meta({
		pattern: undefined,
		description:
			"When to send, RFC 3339, in the future and within one year. At once when absent.",
	});

export const tagMatch = z.enum(["all", "any"]);

const name = nameText(MAX_NAME);

/** The formal form: an audience of contacts, chosen by tags. */
const tagCampaign = z
	.strictObject({
		name,
		message_template: template(),
		scheduled_at: startTime().optional(),
		sender_id: z.uuid().optional().meta({
			pattern: undefined,
			description: "Approved sender ID; the default one when absent.",
		}),
		audience_tags: z
			.array(plainText(1, MAX_TAG))
			.min(1)
			.max(MAX_TAGS)
			.meta({
				contains: { type: "string", pattern: "\\S" },
				description: "Tags, of which at least one is not blank.",
			}),
		audience_tag_match_mode: tagMatch.optional().meta({
			description: "`all` (the default) or `any` of the tags.",
		}),
	})
	.meta({
		id: "CreateTagCampaignRequest",
		description: "To the contacts that carry tags.",
	});

const recipient = text(0, MAX_RECIPIENT);

/** To say what is wrong with each of a hundred thousand takes half a second of the event loop, which all share. */
function checkRecipients({ value, issues }: z.core.ParsePayload<string[]>) {
	if (issues.length > 0) return;
	for (const [index, input] of value.entries()) {
		for (const issue of recipient.safeParse(input).error?.issues ?? [])
			issues.push({ ...issue, path: [index], input } as z.core.$ZodRawIssue);
		if (issues.length >= MOST_BAD) return;
	}
}

/** The form of the guides: a list of phone numbers. */
const listCampaign = z
	.strictObject({
		name,
		content: template(),
		scheduledAt: startTime().optional(),
		senderName: text(1, MAX_SENDER_NAME).optional().meta({
			description: "Name of an approved sender; the default one when absent.",
		}),
		recipients: z
			.array(z.unknown() as z.ZodType<string>)
			.min(1)
			.max(MAX_RECIPIENTS)
			.check(checkRecipients)
			.meta({
				items: z.toJSONSchema(recipient),
				description:
					"Phone numbers. An invalid one, or one given twice, is counted as skipped.",
			}),
	})
	.meta({
		id: "CreateListCampaignRequest",
		description: "To a list of phone numbers.",
	});

export const createCampaignBody = z
	.union([tagCampaign, listCampaign])
	.meta({
		id: "CreateCampaignRequest",
		description:
			"A campaign to contacts by tags, or to a list of phone numbers.",
	})
	.register(examples, {
		example: {
			name: "Spring sale",
			message_template: "Hello {{name|there}}, 20 % off until Sunday.",
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
		},
	});

export type CreateCampaignBody = z.infer<typeof createCampaignBody>;
export type TagCampaign = z.infer<typeof tagCampaign>;
export type ListCampaign = z.infer<typeof listCampaign>;
