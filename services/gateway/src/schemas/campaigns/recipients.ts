import { z } from "zod";
import { uuidText } from "../common.ts";
import { examples, messageIdExample } from "../examples.ts";
import { pageQuery } from "../pages.ts";

const recipientStatus = z.enum([
	"pending",
	"skipped",
	"accepted",
	"delivered",
	"failed",
]);

export const recipientsQuery = pageQuery.extend({
	status: recipientStatus
		.optional()
		.meta({ description: "Only those of this status." }),
});

export const campaignRecipient = z
	.strictObject({
		phone: z.string().meta({
			description: [
				"E.164, or the text as it was given when it is no number;",
				"begins with `erased-` once it was erased.",
			].join(" "),
		}),
		name: z.string().nullable().meta({
			description: "The contact's name as the campaign began.",
		}),
		status: recipientStatus,
		reason: z
			.string()
			.nullable()
			.meta({
				description: [
					"Why it was skipped (`invalid_phone_number`, `no_route`, `duplicate`, `message_too_long`,",
					"`cancelled`, `organization_closed`, `erased`, or what else refuses a single SMS) or failed (as in webhooks).",
				].join(" "),
			}),
		message_id: uuidText().nullable().meta({
			description:
				"Its message; of a duplicate that of the recipient that it repeats.",
		}),
	})
	.meta({
		id: "CampaignRecipient",
		description: "One recipient of a campaign.",
	})
	.register(examples, {
		example: {
			phone: "+33612345678",
			name: "Ada",
			status: "delivered",
			reason: null,
			message_id: messageIdExample,
		},
	});
