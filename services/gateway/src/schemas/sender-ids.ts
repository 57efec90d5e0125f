import { z } from "zod";
import { successBody, uuidText } from "./common.ts";
import { examples, senderIdExample, timeExample } from "./examples.ts";
import { storableText } from "./texts.ts";
import { time } from "./times.ts";

const MAX_VALUE = 15;
const VALUE =
	/^(?:(?=.*[A-Za-z])(?! )[A-Za-z0-9 ._-]{3,11}(?<! )|[0-9]{3,15})$/;

export const requestSenderIdBody = z
	.strictObject({
		value: storableText()
			.refine((value) => VALUE.test(value), {
				params: { code: "invalid_sender_id" },
				message: [
					"must have 3-11 characters of A-Z, a-z, 0-9, space, '.', '_' and '-' with a letter among them",
					"and no space at either end, or 3-15 digits",
				].join(" "),
			})
			.meta({
				minLength: 3,
				maxLength: MAX_VALUE,
				pattern: VALUE.source,
				description:
					"The wanted sender: 3-11 characters `[A-Za-z0-9 ._-]` with a letter, or 3-15 digits.",
			}),
	})
	.meta({ id: "RequestSenderIdRequest", description: "A wanted sender ID." })
	.register(examples, { example: { value: "ACME" } });

export const senderId = z
	.strictObject({
		id: uuidText(),
		value: z.string(),
		status: z.enum(["pending", "approved", "rejected", "suspended"]),
		is_default: z.boolean().meta({
			description: "True for the sender of messages that name none.",
		}),
		rejection_reason: z.string().nullable().meta({
			description: "Why it was rejected or suspended, when a reason was given.",
		}),
		created_at: time(),
		decided_at: time().nullable(),
	})
	.meta({
		id: "SenderId",
		description: "A sender ID and whether it may be used.",
	})
	.register(examples, {
		example: {
			id: senderIdExample,
			value: "ACME",
			status: "approved",
			is_default: true,
			rejection_reason: null,
			created_at: timeExample,
			decided_at: "2026-03-01T10:00:00.000Z",
		},
	});

export const requestSenderIdReply = successBody({ senderId }).register(
	examples,
	{
		example: {
			success: true,
			senderId: {
				id: senderIdExample,
				value: "ACME",
				status: "pending",
				is_default: false,
				rejection_reason: null,
				created_at: timeExample,
				decided_at: null,
			},
		},
	},
);
