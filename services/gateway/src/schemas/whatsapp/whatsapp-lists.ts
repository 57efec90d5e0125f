import { z } from "zod";
import { uuidText } from "../common.ts";
import {
	examples,
	messageIdExample,
	phoneNumberIdExample,
	timeExample,
} from "../examples.ts";
import { dateFilters, recipientFilter, textFilter } from "../filters.ts";
import { pageQuery } from "../pages.ts";
import { time } from "../times.ts";

const USER_NUMBER =
	"The user's number in E.164; null when the user hides it, or once it was erased.";

const messageStatus = z.enum([
	"accepted",
	"submitting",
	"sent",
	"delivered",
	"read",
	"failed",
	"unknown",
	"received",
]);
const billingCategory = z.enum(["utility", "authentication", "service"]);

export const whatsappMessage = z
	.strictObject({
		id: uuidText(),
		direction: z.enum(["outbound", "inbound"]),
		type: z.string(),
		recipient: z.string().nullable().meta({
			description: USER_NUMBER,
		}),
		phone_number_id: uuidText(),
		status: messageStatus,
		billing_category: billingCategory.nullable(),
		template_name: z.string().nullable(),
		template_language: z.string().nullable(),
		error: z
			.strictObject({
				code: z.string().meta({
					description:
						"`rejected`, `undeliverable`, `expired`, `operator_error` or `blocked`.",
				}),
			})
			.nullable(),
		client_reference: z.string().nullable(),
		created_at: time(),
		sent_at: time().nullable(),
		delivered_at: time().nullable(),
		read_at: time().nullable(),
	})
	.meta({
		id: "WhatsAppMessage",
		description: "A WhatsApp message, sent or received.",
	})
	.register(examples, {
		example: {
			id: messageIdExample,
			direction: "outbound",
			type: "template",
			recipient: "+33612345678",
			phone_number_id: phoneNumberIdExample,
			status: "delivered",
			billing_category: "utility",
			template_name: "order_shipped",
			template_language: "en_US",
			error: null,
			client_reference: "order-1042",
			created_at: timeExample,
			sent_at: timeExample,
			delivered_at: timeExample,
			read_at: null,
		},
	});

export const whatsappMessagesQuery = pageQuery.extend({
	status: messageStatus
		.optional()
		.meta({ description: "Only those of this status." }),
	billing_category: billingCategory
		.optional()
		.meta({ description: "Only those of this category." }),
	template_name: textFilter("Only sends of this template."),
	recipient: recipientFilter,
	...dateFilters,
});

const templateStatus = z.enum([
	"pending",
	"approved",
	"rejected",
	"paused",
	"disabled",
]);
const templateCategory = z.enum(["utility", "authentication", "marketing"]);

export const whatsappTemplate = z
	.strictObject({
		id: uuidText(),
		name: z.string(),
		language: z.string(),
		category: templateCategory,
		status: templateStatus,
		body: z.string(),
		parameter_count: z.int(),
		created_at: time(),
		updated_at: time(),
	})
	.meta({
		id: "WhatsAppTemplate",
		description: "A template of the organization at the provider.",
	})
	.register(examples, {
		example: {
			id: "0199b0a8-4f50-7162-9d7e-8f9a0b1c2d3e",
			name: "order_shipped",
			language: "en_US",
			category: "utility",
			status: "approved",
			body: "Your order {{1}} is on its way.",
			parameter_count: 1,
			created_at: timeExample,
			updated_at: timeExample,
		},
	});

export const whatsappTemplatesQuery = pageQuery.extend({
	status: templateStatus
		.optional()
		.meta({ description: "Only those of this status." }),
	category: templateCategory
		.optional()
		.meta({ description: "Only those of this category." }),
	name: textFilter("Only templates of this name."),
	...dateFilters,
});

const conversationStatus = z.enum(["open", "closed"]);

export const whatsappConversation = z
	.strictObject({
		id: uuidText(),
		phone_number_id: uuidText(),
		recipient: z.string().nullable().meta({ description: USER_NUMBER }),
		status: conversationStatus,
		window_opened_at: time().nullable(),
		window_expires_at: time().nullable(),
		created_at: time(),
		last_message_at: time().nullable(),
	})
	.meta({
		id: "WhatsAppConversation",
		description: "The messages with one user, and the window for replies.",
	})
	.register(examples, {
		example: {
			id: "0199b0a9-5061-7273-8e8f-9a0b1c2d3e4f",
			phone_number_id: phoneNumberIdExample,
			recipient: "+33612345678",
			status: "open",
			window_opened_at: timeExample,
			window_expires_at: "2026-03-02T09:30:00.000Z",
			created_at: timeExample,
			last_message_at: timeExample,
		},
	});

export const whatsappConversationsQuery = pageQuery.extend({
	status: conversationStatus
		.optional()
		.meta({ description: "Only those of this status." }),
	recipient: recipientFilter,
	...dateFilters,
});
