import { z } from "zod";
import { successBody, uuidText } from "../common.ts";
import { errorFields } from "../error-body.ts";
import { examples, senderIdExample } from "../examples.ts";

const count = () => z.int().min(0);

export const previewedStats = z.strictObject({
	audience: count().meta({ description: "Recipients in all." }),
	skipped: count().meta({
		description: "Left out, among them those that were given twice.",
	}),
	duplicates: count().meta({
		description: "Given twice: they would get their message once.",
	}),
	accepted: count().meta({
		description: "Messages that would be accepted and paid for now.",
	}),
	pending: count().meta({
		description: "Messages that would wait for quota or for an operator route.",
	}),
});

export const skippedRecipients = z.strictObject({
	reason: z.string().meta({
		description: "As in the list of the recipients of a campaign.",
	}),
	count: z.int().min(1),
});

const messageExample = z.strictObject({
	phone: z.string().meta({ description: "E.164." }),
	name: z.string().nullable().meta({ description: "The contact's name." }),
	message: z.string(),
	encoding: z.enum(["gsm7", "ucs2"]),
	segments: z.int().min(1),
});

const costSum = z.strictObject({
	currency: z.string().meta({ description: "ISO 4217." }),
	amount: z.number().min(0),
	segments: count(),
});

export const campaignPreviewReply = successBody({
	accepted: z.boolean().meta({
		description: "Whether POST /campaigns would create the campaign now.",
	}),
	httpStatus: z.int().meta({
		description: "The status with which it would respond.",
	}),
	error: errorFields.nullable().meta({
		description: "The error with which it would refuse; null when none.",
	}),
	sender: z
		.strictObject({ id: uuidText(), value: z.string() })
		.nullable()
		.meta({ description: "Null when the campaign is refused." }),
	status: z
		.enum(["sending", "paused", "failed"])
		.nullable()
		.meta({
			description: [
				"Of the campaign once it has sent to all whom it may send to now: `sending` waits for outcomes only, or for an",
				"operator route. Null when it is refused.",
			].join(" "),
		}),
	statusReason: z
		.string()
		.nullable()
		.meta({
			description: [
				"Why it would be paused (`quota_exhausted`, `quota_share_used`, `organization_suspended`) or failed",
				"(`no_audience`).",
			].join(" "),
		}),
	stats: previewedStats
		.nullable()
		.meta({ description: "Null when the campaign is refused." }),
	skippedByReason: skippedRecipients.array().meta({
		description:
			"The most frequent reason first: what the campaign would have recorded once it has looked at all recipients.",
	}),
	examples: z.array(messageExample).meta({
		description: "The first three messages; fewer when there are fewer.",
	}),
	segments: count().meta({
		description: "Parts of all messages, accepted and pending.",
	}),
	costs: z.array(costSum).meta({
		description: "What the operators charge for these parts, by currency.",
	}),
	segmentsWithoutCost: count().meta({
		description:
			"Parts of which it is not known: nobody said what the route charges, or routes that share such messages differ.",
	}),
	delayedByQuietHours: count().meta({
		description:
			"Messages, accepted and pending, that would wait for the end of quiet hours: at the campaign's time, or now where it has none.",
	}),
	quotaBefore: count().nullable().meta({
		description:
			"SMS quota left now; null when the campaign is refused, or has no message.",
	}),
	remainingQuota: count().nullable().meta({
		description: "SMS quota left after the accepted messages.",
	}),
})
	.meta({
		id: "PreviewCampaignReply",
		description: "What would become of the campaign now.",
	})
	.register(examples, {
		example: {
			success: true,
			accepted: true,
			httpStatus: 201,
			error: null,
			sender: { id: senderIdExample, value: "ACME" },
			status: "paused",
			statusReason: "quota_exhausted",
			stats: {
				audience: 1_200,
				skipped: 15,
				duplicates: 0,
				accepted: 1_000,
				pending: 185,
			},
			skippedByReason: [
				{ reason: "recipient_opted_out", count: 12 },
				{ reason: "no_route", count: 3 },
			],
			examples: [
				{
					phone: "+33612345678",
					name: "Ada",
					message: "Hello Ada, 20 % off until Sunday.",
					encoding: "gsm7",
					segments: 1,
				},
			],
			segments: 1_185,
			costs: [{ currency: "EUR", amount: 53.325, segments: 1_185 }],
			segmentsWithoutCost: 0,
			delayedByQuietHours: 0,
			quotaBefore: 1_000,
			remainingQuota: 0,
		},
	});

export type CampaignPreviewReply = z.infer<typeof campaignPreviewReply>;
