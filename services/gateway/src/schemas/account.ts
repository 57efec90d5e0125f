import { z } from "zod";
import { success, time, uuidText } from "./common.ts";
import { nextCursor } from "./pages.ts";

export const account = z
	.strictObject({
		organization: z.strictObject({
			id: uuidText(),
			name: z.string(),
			email: z.string(),
		}),
		commercial_state: z.enum([
			"trial",
			"active",
			"past_due",
			"suspended",
			"closed",
		]),
		subscription: z.strictObject({
			plan: z.string(),
			status: z.enum(["active", "past_due", "canceled"]),
			current_period_start: time(),
			current_period_end: time(),
		}),
		quota: z.strictObject({
			sms: z.strictObject({
				remaining: z.int().meta({ description: "Messages left." }),
				used_this_period: z.int(),
			}),
		}),
	})
	.meta({ id: "Account" });

export type AccountRecord = z.infer<typeof account>;

export const accountReply = z.strictObject({ success, account });

export const usageEntry = z
	.strictObject({
		id: uuidText(),
		kind: z.enum(["usage", "adjustment", "release", "grant"]),
		channel: z.enum(["sms", "whatsapp"]).nullable(),
		units: z.int().meta({ description: "Negative for usage." }),
		balance_after: z.int(),
		message_id: z.string().nullable(),
		campaign_id: z.string().nullable(),
		note: z.string().nullable(),
		created_at: time(),
	})
	.meta({ id: "UsageEntry" });

export type UsageEntryRecord = z.infer<typeof usageEntry>;

export const usageReply = z.strictObject({
	success,
	entries: z.array(usageEntry),
	nextCursor,
});
