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

/** The form of the guides: a list of phone numbers. */
const listCampaign = z
	.strictObject({
		name,
		content: template(),
		scheduledAt: startTime().optional(),
		senderName: text(1, MAX_SENDER_NAME).optional().meta({
			description: "Name of an approved sender; the default one when absent.",
		}),
		recipients: boundedList(
			z.array(text(0, MAX_RECIPIENT)).min(1).max(MAX_RECIPIENTS).meta({
				description:
					"Phone numbers. An invalid one, or one given twice, is counted as skipped.",
			}),
		),
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

/**
 * A list whose entries are looked at until so many of them are bad: to say what is wrong with each of a hundred thousand
 * takes half a second of the event loop, which all organizations share. Zod has no such option, so the list's own way of
 * reading, which Zod opens to libraries, is replaced. The list must have a check of its own.
 */
function boundedList<List extends z.ZodArray>(list: List): List {
	const { element } = list.def;
	const { parse } = list._zod;
	list._zod.parse = (payload, ctx) => {
		const { value: entries, issues } = payload;
		if (!Array.isArray(entries) || entries.length > MAX_RECIPIENTS)
			return parse(payload, ctx);
		const values: unknown[] = [];
		for (const [index, value] of entries.entries()) {
			const read = element._zod.run({ value, issues: [] }, ctx);
			if (read instanceof Promise) throw new Error("An entry is read at once.");
			values.push(read.value);
			issues.push(...z.core.util.prefixIssues(index, read.issues));
			if (issues.length >= MOST_BAD) break;
		}
		payload.value = values;
		return payload;
	};
	return list;
}
