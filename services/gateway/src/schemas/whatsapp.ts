import { z } from "zod";
import { success, text, time, uuidText } from "./common.ts";
import { dateFilters, recipientFilter, textFilter } from "./filters.ts";
import { nextCursor, pageQuery } from "./pages.ts";

const MAX_TO = 32;
const MAX_TEXT = 4_096;
const MAX_CLIENT_REFERENCE = 128;
const MAX_TEMPLATE_NAME = 512;
const MAX_LANGUAGE = 20;
const MAX_PARAMETERS = 50;
const MAX_PARAMETER = 1_024;

const common = {
	to: text().min(1).max(MAX_TO).meta({ description: "Recipient." }),
	phoneNumberId: z.uuid().meta({
		pattern: undefined,
		description: "WhatsApp number of the organization to send from.",
	}),
	clientReference: text().max(MAX_CLIENT_REFERENCE).optional().meta({
		description: "Your own reference; comes back in webhooks.",
	}),
};

const sendCategory = z.enum(["utility", "authentication"]);

export const sendWhatsAppBody = z
	.discriminatedUnion("type", [
		z.strictObject({
			type: z.literal("template"),
			...common,
			template: z.strictObject({
				name: text().min(1).max(MAX_TEMPLATE_NAME),
				language: text().min(1).max(MAX_LANGUAGE),
				category: sendCategory,
				parameters: z
					.array(text().min(1).max(MAX_PARAMETER))
					.max(MAX_PARAMETERS)
					.optional(),
			}),
		}),
		z.strictObject({
			type: z.literal("text"),
			...common,
			text: z.strictObject({
				body: text().min(1).max(MAX_TEXT),
			}),
		}),
	])
	.meta({ id: "SendWhatsAppRequest" });

export type SendWhatsAppBody = z.infer<typeof sendWhatsAppBody>;

export const sendWhatsAppReply = z
	.strictObject({
		success,
		queued: z.literal(true),
		status: z.literal("accepted"),
		messageId: uuidText(),
		clientReference: z.string().nullable(),
	})
	.meta({ id: "SendWhatsAppReply" });

export type SendWhatsAppReply = z.infer<typeof sendWhatsAppReply>;

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
			description: "The user's number in E.164; null when the user hides it.",
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
	.meta({ id: "WhatsAppMessage" });

export type WhatsAppMessageRecord = z.infer<typeof whatsappMessage>;

export const whatsappMessagesQuery = pageQuery.extend({
	status: messageStatus.optional(),
	billing_category: billingCategory.optional(),
	template_name: textFilter("Only sends of this template."),
	recipient: recipientFilter,
	...dateFilters,
});

export const whatsappMessagesReply = z.strictObject({
	success,
	messages: z.array(whatsappMessage),
	nextCursor,
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
	.meta({ id: "WhatsAppTemplate" });

export type WhatsAppTemplateRecord = z.infer<typeof whatsappTemplate>;

export const whatsappTemplatesQuery = pageQuery.extend({
	status: templateStatus.optional(),
	category: templateCategory.optional(),
	name: textFilter("Only templates of this name."),
	...dateFilters,
});

export const whatsappTemplatesReply = z.strictObject({
	success,
	templates: z.array(whatsappTemplate),
	nextCursor,
});

const conversationStatus = z.enum(["open", "closed"]);

export const whatsappConversation = z
	.strictObject({
		id: uuidText(),
		phone_number_id: uuidText(),
		recipient: z.string().nullable(),
		status: conversationStatus,
		window_opened_at: time().nullable(),
		window_expires_at: time().nullable(),
		created_at: time(),
		last_message_at: time().nullable(),
	})
	.meta({ id: "WhatsAppConversation" });

export type WhatsAppConversationRecord = z.infer<typeof whatsappConversation>;

export const whatsappConversationsQuery = pageQuery.extend({
	status: conversationStatus.optional(),
	recipient: recipientFilter,
	...dateFilters,
});

export const whatsappConversationsReply = z.strictObject({
	success,
	conversations: z.array(whatsappConversation),
	nextCursor,
});
