import { z } from "zod";
import { uuidText } from "../common.ts";
import {
	examples,
	messageIdExample,
	senderIdExample,
	timeExample,
} from "../examples.ts";
import { dateFilters, recipientFilter, textFilter } from "../filters.ts";
import { pageQuery } from "../pages.ts";
import { time } from "../times.ts";
import {
	webhookDelivery,
	webhookDeliveryExample,
} from "../webhook-deliveries.ts";

const smsStatus = z.enum([
	"scheduled",
	"accepted",
	"submitting",
	"submitted",
	"unknown",
	"delivered",
	"failed",
	"canceled",
]);

const smsExample = {
	id: messageIdExample,
	recipient: "+33612345678",
	sender_id: senderIdExample,
	sender_name: "ACME",
	status: "delivered",
	error: null,
	route: "main",
	segments: 1,
	attempts: 1,
	possible_duplicate: false,
	client_reference: "order-1042",
	campaign_id: null,
	created_at: timeExample,
	send_at: null,
	submitted_at: timeExample,
	finished_at: timeExample,
} as const;

export const smsMessage = z
	.strictObject({
		id: uuidText(),
		recipient: z.string().meta({
			description: "E.164; empty once the number was erased.",
		}),
		sender_id: uuidText(),
		sender_name: z.string(),
		status: smsStatus.meta({
			description: [
				"`scheduled`: its time has not come; `accepted`: waits; `submitting`: is being sent; `submitted`: the",
				"operator has it; `unknown`: sent, and the operator did not respond; then `delivered` or `failed`.",
				"`canceled`: it was taken back before it was sent.",
			].join(" "),
		}),
		error: z
			.strictObject({
				code: z.string().meta({
					description: "Why it failed, as in the callback of its outcome.",
				}),
			})
			.nullable(),
		route: z.string().meta({ description: "Operator route." }),
		segments: z.int().meta({ description: "Parts of the message." }),
		attempts: z.int().meta({ description: "Times it was begun to be sent." }),
		possible_duplicate: z.boolean().meta({
			description: "True when the recipient may have got it twice.",
		}),
		client_reference: z.string().nullable(),
		campaign_id: uuidText().nullable(),
		created_at: time(),
		send_at: time().nullable().meta({
			description:
				"When it is to be sent; null: at once. That of a bulk message may be the end of quiet hours.",
		}),
		submitted_at: time().nullable(),
		finished_at: time().nullable(),
	})
	.meta({ id: "SmsMessage", description: "An SMS and how far it is." })
	.register(examples, { example: smsExample });

/** One message with what its webhook endpoints heard of it. */
export const smsMessageDetails = smsMessage
	.extend({
		callbacks: webhookDelivery
			.array()
			.nullable()
			.meta({
				description: [
					"To each webhook endpoint, in the order of the events; none before the outcome, and of the last 30 days.",
					"Null while they cannot be told.",
				].join(" "),
			}),
	})
	.meta({
		id: "SmsMessageDetails",
		description:
			"An SMS, how far it is, and what its webhook endpoints heard of it.",
	})
	.register(examples, {
		example: { ...smsExample, callbacks: [webhookDeliveryExample] },
	});

export const smsMessagesQuery = pageQuery.extend({
	status: smsStatus
		.optional()
		.meta({ description: "Only those of this status." }),
	recipient: recipientFilter,
	campaign_id: z.uuid().optional().meta({
		pattern: undefined,
		description: "Only messages of this campaign.",
	}),
	client_reference: textFilter("Only messages with this reference of yours."),
	...dateFilters,
});

export const smsMessageParams = z.strictObject({
	messageId: z
		.string()
		.meta({ format: "uuid", description: "Id of the message." }),
});
