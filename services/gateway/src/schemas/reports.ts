import { z } from "zod";
import { usageEntry } from "./account.ts";
import { successBody, uuidText } from "./common.ts";
import { deliverySumExample, examples } from "./examples.ts";
import { dateFilter } from "./filters.ts";
import { costAmount } from "./sms/sms-preview.ts";
import { time } from "./times.ts";
import { eventId } from "./webhooks.ts";

const day = () => z.string().meta({ format: "date", description: "Of UTC." });

export const usageReportQuery = z.strictObject({
	date_from: dateFilter(
		"First day, of UTC: YYYY-MM-DD, or a time for the day that it is in. 30 days before `date_to` when absent.",
	),
	date_to: dateFilter(
		"Day after the last one, in the same form. Tomorrow when absent.",
	),
	group_by: z.enum(["day", "campaign"]).default("day").meta({
		description:
			"`campaign`: each day's sums of each campaign apart, and those of no campaign.",
	}),
	format: z.enum(["json", "csv"]).optional().meta({
		description:
			"`csv` for a table; so does `Accept: text/csv` where the query does not say.",
	}),
});

export const usageSum = z
	.strictObject({
		day: day(),
		kind: usageEntry.shape.kind,
		channel: z.enum(["sms", "whatsapp"]),
		campaign_id: uuidText().nullable().meta({
			description: "Null for entries of no campaign, and when grouped by day.",
		}),
		units: z.int().meta({ description: "Negative for usage." }),
		entries: z.int().meta({ description: "Entries of the ledger." }),
	})
	.meta({
		id: "UsageSum",
		description: "The ledger's entries of one day and kind.",
	})
	.register(examples, {
		example: {
			day: "2026-03-01",
			kind: "usage",
			channel: "sms",
			campaign_id: null,
			units: -1_042,
			entries: 1_042,
		},
	});

export const usageReport = successBody({
	date_from: day().register(examples, { example: "2026-03-01" }),
	date_to: day().register(examples, { example: "2026-03-31" }),
	sums: usageSum.array(),
});

const reportChannel = z.enum(["sms", "whatsapp"]);

export const deliveryReportQuery = z.strictObject({
	date_from: usageReportQuery.shape.date_from,
	date_to: usageReportQuery.shape.date_to,
	group_by: z
		.enum([
			"hour",
			"day",
			"country",
			"prefix",
			"route",
			"sender",
			"campaign",
			"template",
		])
		.default("day")
		.meta({
			description:
				"What each line stands for. `prefix` is the calling code and three digits, `template` is WhatsApp's.",
		}),
	channel: reportChannel.optional().meta({
		description: "Both channels when absent, each with lines of its own.",
	}),
	format: usageReportQuery.shape.format,
});

const count = (description: string) => z.int().min(0).meta({ description });
const seconds = (share: string) =>
	z
		.number()
		.nullable()
		.meta({
			description: `Time from submission to receipt within which ${share} of the delivered messages were, at most 13 % off; null where none was.`,
		});

export const deliverySum = z
	.strictObject({
		value: z.string().nullable().meta({
			description:
				"The hour (`2026-03-01T13:00:00Z`) or day of UTC, the country (ISO 3166-1), prefix, route, SMS sender or id of the WhatsApp number, id of the campaign, or name of the template; null for messages without one.",
		}),
		channel: reportChannel,
		accepted: count("Messages that were accepted in these days."),
		delivered: count("Those of them that were delivered since."),
		failed: count("Those that failed."),
		failures: z
			.strictObject({
				reason: z.string().meta({ description: "As in `message.failed`." }),
				messages: count("Messages that failed for it."),
			})
			.array(),
		canceled: count("Those that were taken back."),
		unknown: count("Those of which no outcome is known yet."),
		median_seconds: seconds("half"),
		p95_seconds: seconds("95 of 100"),
		segments: count("Segments of the accepted messages; 0 for WhatsApp."),
		costs: costAmount.array().meta({
			description:
				"What the messages cost that operators took and whose outcome is known, where costs are set.",
		}),
	})
	.meta({
		id: "DeliverySum",
		description: "Messages and what became of them.",
	})
	.register(examples, { example: deliverySumExample });

export const deliveryReport = successBody({
	date_from: day().register(examples, { example: "2026-03-01" }),
	date_to: day().register(examples, { example: "2026-03-31" }),
	sums: deliverySum.array(),
});

export const dailyReportEvent = z
	.strictObject({
		id: eventId,
		type: z.literal("report.daily"),
		created_at: time(),
		data: z.strictObject({
			day: day(),
			sums: deliverySum.array().meta({
				description:
					"A line for each channel with messages, as `GET /reports/delivery` had it for the day when the event was made.",
			}),
		}),
	})
	.meta({
		id: "DailyReportEvent",
		description: "What became of the messages of a day.",
	});
