import { z } from "zod";
import { successBody, uuidText } from "../common.ts";
import { examples, messageIdExample } from "../examples.ts";
import { filledText, PHONE_DESCRIPTION, phoneText, text } from "../texts.ts";
import { givenTime, time } from "../times.ts";

const MAX_TO = 32;
const MAX_MESSAGE = 1_600;
const MAX_SENDER_NAME = 32;
const MAX_CLIENT_REFERENCE = 128;

const message = filledText(MAX_MESSAGE, "message_too_long").meta({
	description: [
		"Text, 1 to 1,600 characters and at most 10 parts",
		"(160 or 153 characters each in the GSM alphabet, 70 or 67 in any other).",
	].join(" "),
});

export const sendSmsBody = z
	.strictObject({
		to: phoneText(MAX_TO).meta({
			description: `Recipient: ${PHONE_DESCRIPTION}`,
		}),
		message,
		senderId: z.uuid().optional().meta({
			pattern: undefined,
			description:
				"Approved sender ID. Without senderId and senderName: the default one.",
		}),
		senderName: text(1, MAX_SENDER_NAME).optional().meta({
			description:
				"Name of an approved sender, in place of senderId. Both must mean the same sender.",
		}),
		clientReference: text(0, MAX_CLIENT_REFERENCE).optional().meta({
			description: "Your own reference; comes back in webhooks.",
		}),
		messageClass: z
			.enum(["one_time_password"])
			.optional()
			.meta({
				description: [
					"`one_time_password`: goes also to numbers that have opted out, where an admin has allowed your",
					"organization that.",
				].join(" "),
			}),
		priority: z
			.enum(["otp", "normal", "bulk"])
			.optional()
			.meta({
				description: [
					"How soon it must go when more waits than the operator takes: one-time passwords are sent before all else,",
					"and none of the three ever waits for the whole of another. Default: normal; campaigns are bulk.",
				].join(" "),
			}),
		send_at: givenTime()
			.optional()
			.meta({
				pattern: undefined,
				description: [
					"When to send, RFC 3339, in the future and within 30 days. At once when absent. It is paid for when it is",
					"accepted; until it is sent it can be canceled. Of the priority `bulk`, and in the organization's quiet",
					"hours: at their end.",
				].join(" "),
			}),
	})
	.meta({ id: "SendSmsRequest", description: "An SMS to send." })
	.register(examples, {
		example: {
			to: "+33612345678",
			message: "Your code is 123456",
			clientReference: "order-1042",
		},
	});

export type SendSmsBody = z.infer<typeof sendSmsBody>;

export const sendSmsReply = successBody({
	queued: z.literal(true),
	status: z.literal("accepted"),
	count: z.literal(1),
	remainingQuota: z
		.int()
		.min(0)
		.meta({ description: "SMS quota left after this message." }),
	send_at: time().optional().meta({
		description:
			"When it goes; absent: at once. Later than was asked for where that lies in quiet hours.",
	}),
	provider: z.strictObject({
		code: z.string().meta({ description: "Operator route chosen." }),
		messageId: uuidText().meta({ description: "Our id of the message." }),
		httpStatus: z.literal(202),
	}),
})
	.meta({
		id: "SendSmsReply",
		description: "The SMS is stored and will be sent.",
	})
	.register(examples, {
		example: {
			success: true,
			queued: true,
			status: "accepted",
			count: 1,
			remainingQuota: 9_999,
			provider: { code: "main", messageId: messageIdExample, httpStatus: 202 },
		},
	});

export type SendSmsReply = z.infer<typeof sendSmsReply>;
