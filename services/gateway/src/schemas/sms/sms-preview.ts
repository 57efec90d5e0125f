import { z } from "zod";
import { successBody, uuidText } from "../common.ts";
import { errorFields } from "../error-body.ts";
import { examples, senderIdExample } from "../examples.ts";
import { time } from "../times.ts";

const unitCount = () => z.int().min(0);

const parts = z
	.array(
		z.strictObject({
			length: unitCount().meta({
				description:
					"Septets of GSM-7, where characters such as € and [ take two, or UTF-16 units of UCS-2.",
			}),
		}),
	)
	.meta({ description: "The parts in which the text goes out." });

export const costAmount = z.strictObject({
	amount: z.number().min(0),
	currency: z.string().meta({ description: "ISO 4217." }),
});

const previewedRoute = z.strictObject({
	code: z.string().meta({ description: "Operator route." }),
	share: z.number().meta({
		description: "Its part of such messages, above 0 to 1.",
	}),
	segmentCost: costAmount.nullable().meta({
		description: "What the operator charges for a part; null when not known.",
	}),
});

const foreignCharacter = z.strictObject({
	character: z.string(),
	count: z.int().min(1),
	positions: z.array(unitCount()).meta({
		description: "The first 10 places: UTF-16 units before the character.",
	}),
	plain: z.string().nullable().meta({
		description:
			"Its common form in the GSM alphabet, which may be empty; null when it has none.",
	}),
});

export const smsPreviewReply = successBody({
	accepted: z.boolean().meta({
		description: "Whether POST /sms/send would accept the message now.",
	}),
	httpStatus: z.int().meta({
		description: "The status with which it would respond.",
	}),
	error: errorFields.nullable().meta({
		description: "The error with which it would refuse; null when none.",
	}),
	recipient: z.string().nullable().meta({
		description: "In E.164 form; null for an invalid number.",
	}),
	sender: z
		.strictObject({ id: uuidText(), value: z.string() })
		.nullable()
		.meta({ description: "Null when the send would not get that far." }),
	encoding: z.enum(["gsm7", "ucs2"]).meta({
		description: "One character outside of the GSM alphabet makes it ucs2.",
	}),
	segments: z.int().min(1).meta({ description: "Number of parts." }),
	parts,
	foreignCharacters: z
		.strictObject({
			count: unitCount().meta({ description: "How many different ones." }),
			characters: z
				.array(foreignCharacter)
				.meta({ description: "The first 20 of them." }),
		})
		.meta({ description: "What makes the text ucs2." }),
	plainText: z.strictObject({ message: z.string(), parts }).nullable().meta({
		description:
			"The text in plain forms, in the GSM alphabet; null when it is there already, or has a character without one.",
	}),
	provider: z.strictObject({ code: z.string() }).nullable().meta({
		description:
			"The operator route, as in the reply of the send; null when it is not known, or several share such messages.",
	}),
	routes: z.array(previewedRoute).meta({
		description:
			"Routes that such messages take. A route that was down and is tried may take one now and then beside them.",
	}),
	cost: costAmount.nullable().meta({
		description:
			"What the operator charges for all parts; null when not known, or when routes that share such messages differ.",
	}),
	send_at: time().nullable().meta({
		description:
			"When it would go; null: at once, or it is refused. Later than was asked for where that lies in quiet hours.",
	}),
	quotaBefore: z.int().min(0).nullable().meta({
		description:
			"SMS quota left now; null when the send would not get that far.",
	}),
	remainingQuota: z.int().min(0).nullable().meta({
		description: "SMS quota left after this message; null when it is refused.",
	}),
})
	.meta({
		id: "PreviewSmsReply",
		description: "What would become of the SMS now.",
	})
	.register(examples, {
		example: {
			success: true,
			accepted: true,
			httpStatus: 202,
			error: null,
			recipient: "+33612345678",
			sender: { id: senderIdExample, value: "ACME" },
			encoding: "ucs2",
			segments: 1,
			parts: [{ length: 20 }],
			foreignCharacters: {
				count: 1,
				characters: [{ character: "’", count: 1, positions: [2], plain: "'" }],
			},
			plainText: { message: "It's ready: 1042 EUR", parts: [{ length: 20 }] },
			provider: { code: "main" },
			routes: [
				{
					code: "main",
					share: 1,
					segmentCost: { amount: 0.045, currency: "EUR" },
				},
			],
			cost: { amount: 0.045, currency: "EUR" },
			send_at: null,
			quotaBefore: 10_000,
			remainingQuota: 9_999,
		},
	});

export type SmsPreviewReply = z.infer<typeof smsPreviewReply>;
