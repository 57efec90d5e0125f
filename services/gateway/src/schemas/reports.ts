import { z } from "zod";
import { usageEntry } from "./account.ts";
import { successBody, uuidText } from "./common.ts";
import { examples } from "./examples.ts";
import { dateFilter } from "./filters.ts";

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
