import { z } from "zod";

/** What a single field can be blamed for, as `details[].code` of a validation_failed error. */
export const detailTable = {
	required: "The field is missing.",
	unknown_field: "The body has a field that the operation does not know.",
	unknown_parameter:
		"The query has a parameter that the operation does not know.",
	invalid_type: "The field has the wrong JSON type.",
	invalid_format: "The field does not have the form it must have.",
	invalid_value: "The field has none of the values it may have.",
	invalid_characters:
		"The text contains a NUL character or half of a surrogate pair; " +
		"or, in a name or tag, any control character or one that changes the direction of text.",
	too_short: "The text or list is too short.",
	too_long: "The text or list is too long.",
	too_small: "The number is too small.",
	too_large: "The number is too large.",
	duplicate: "The list has a value twice.",
	invalid_phone_number: "The recipient is not a valid phone number.",
	no_route: "No operator is set up for this number.",
	message_too_long: "The message has more than 1,600 characters or 10 parts.",
	invalid_sender_id:
		"A sender ID has 3-11 characters with a letter, or 3-15 digits.",
	invalid_webhook_url:
		"The address cannot receive webhooks: it must be https and public.",
	invalid_tags: "At most 50 tags of at most 64 characters each.",
	invalid_template:
		"The text has a placeholder other than {{name}} and {{name|fallback}}.",
	invalid_schedule: "The time must be in the future, within one year.",
	invalid_send_at: "The time must be in the future, within 30 days.",
	invalid_quiet_hours:
		"From the end to the start of the quiet hours an hour at least must stay open each day.",
	audience_required: "The campaign has nobody to send to.",
	audience_too_large:
		"More contacts have the tags than a preview looks at: 100,000.",
	report_too_large: "The report has too many rows; ask for fewer days.",
	unknown_scope: "There is no such scope.",
	invalid_expiry:
		"The time must be in the future, and not after the end of the calling key.",
} as const satisfies Record<string, string>;

export type DetailCode = keyof typeof detailTable;

export const errorFields = z.strictObject({
	code: z.string().meta({ description: "Stable reason, snake_case." }),
	message: z.string().meta({ description: "One sentence for people." }),
	details: z
		.array(
			z.strictObject({
				field: z.string().meta({
					description:
						"Field or parameter at fault; dots lead into objects and lists.",
				}),
				code: z.string(),
				message: z.string(),
			}),
		)
		.meta({ description: "Every field at fault, empty when none is." }),
});

const errorBody = z
	.strictObject({
		success: z.literal(false),
		error: errorFields,
		requestId: z.string().meta({ description: "The same as x-request-id." }),
	})
	.meta({ id: "Error", description: "What every error looks like." });

export type ErrorBody = z.infer<typeof errorBody>;
