import { z } from "zod";
import { successBody, uuidText } from "../common.ts";
import {
	examples,
	messageIdExample,
	phoneNumberIdExample,
} from "../examples.ts";
import { filledText, PHONE_DESCRIPTION, phoneText, text } from "../texts.ts";

const MAX_TO = 32;
const MAX_TEXT = 4_096;
const MAX_CLIENT_REFERENCE = 128;
const MAX_TEMPLATE_NAME = 512;
const MAX_LANGUAGE = 20;
const MAX_PARAMETERS = 50;
const MAX_PARAMETER = 1_024;

const common = {
	to: phoneText(MAX_TO).meta({
		description: `Recipient: ${PHONE_DESCRIPTION}`,
	}),
	phoneNumberId: z.uuid().meta({
		pattern: undefined,
		description:
			"WhatsApp number of the organization to send from: an id of this deployment's own.",
	}),
	clientReference: text(0, MAX_CLIENT_REFERENCE).optional().meta({
		description: "Your own reference; comes back in webhooks.",
	}),
};

const sendCategory = z.enum(["utility", "authentication"]);

const templateForm = z
	.strictObject({
		type: z.literal("template"),
		...common,
		template: z.strictObject({
			name: text(1, MAX_TEMPLATE_NAME),
			language: text(1, MAX_LANGUAGE),
			category: sendCategory,
			parameters: z
				.array(text(1, MAX_PARAMETER))
				.max(MAX_PARAMETERS)
				.optional(),
		}),
	})
	.meta({
		id: "SendWhatsAppTemplateRequest",
		description: "An approved template with its parameters.",
	});

const textForm = z
	.strictObject({
		type: z.literal("text"),
		...common,
		text: z.strictObject({ body: filledText(MAX_TEXT) }),
	})
	.meta({
		id: "SendWhatsAppTextRequest",
		description: "A text, within 24 hours of what the user wrote last.",
	});

export const sendWhatsAppBody = z
	.discriminatedUnion("type", [templateForm, textForm])
	.meta({
		id: "SendWhatsAppRequest",
		description: "A template or a text, as `type` says.",
	})
	.register(examples, {
		example: {
			type: "template",
			to: "+33612345678",
			phoneNumberId: phoneNumberIdExample,
			template: {
				name: "order_update",
				language: "en_US",
				category: "utility",
				parameters: ["Ada", "1042"],
			},
			clientReference: "order-1042",
		},
	});

export type SendWhatsAppBody = z.infer<typeof sendWhatsAppBody>;

export const sendWhatsAppReply = successBody({
	queued: z.literal(true),
	status: z.literal("accepted"),
	messageId: uuidText(),
	clientReference: z.string().nullable(),
})
	.meta({
		id: "SendWhatsAppReply",
		description: "The message is stored and will be sent.",
	})
	.register(examples, {
		example: {
			success: true,
			queued: true,
			status: "accepted",
			messageId: messageIdExample,
			clientReference: "order-1042",
		},
	});
