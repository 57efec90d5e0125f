import { z } from "zod";

/** Latest time that is believed, ms since the epoch: the year 2100. */
const MAX_TIME_MS = 4_102_444_800_000;
/** Numbers from here on are milliseconds already. */
const MIN_MS_VALUE = 100_000_000_000;

const time = z.coerce
	.number()
	.positive()
	.transform((value) => (value < MIN_MS_VALUE ? value * 1_000 : value))
	.pipe(z.number().max(MAX_TIME_MS))
	.transform((ms) => new Date(ms));
const text = z
	.string()
	.min(1)
	.max(1_024)
	.refine((value) => !value.includes("\0"));
const array = z.array(z.unknown()).default([]);

export const callbackSchema = z.looseObject({ entry: array });
export const entrySchema = z.looseObject({
	id: z.coerce.string(),
	time: time.optional().catch(undefined),
	changes: array,
});
export const changeSchema = z.looseObject({ field: text, value: z.unknown() });
export const messagesSchema = z.looseObject({
	metadata: z.looseObject({ phone_number_id: z.coerce.string() }),
	contacts: array,
	statuses: array,
	messages: array,
	errors: array,
});
const statusError = z.looseObject({ code: z.coerce.number() });
export const statusSchema = z.looseObject({
	id: text,
	status: z.enum(["sent", "delivered", "read", "failed"]),
	timestamp: time,
	biz_opaque_callback_data: z.string().optional().catch(undefined),
	pricing: z
		.looseObject({ category: z.string().optional() })
		.optional()
		.catch(undefined),
	errors: z.array(statusError).default([]).catch([]),
});
export const contactSchema = z.looseObject({
	wa_id: text.optional().catch(undefined),
	user_id: text.optional().catch(undefined),
});
export const inboundSchema = z.looseObject({
	id: text,
	type: z.string(),
	timestamp: time,
	from: text.optional(),
	from_user_id: text.optional(),
});
export const preferencesSchema = z.looseObject({
	metadata: z.looseObject({ phone_number_id: z.coerce.string() }),
	user_preferences: array,
});
export const preferenceSchema = z.looseObject({
	wa_id: text,
	category: z.literal("marketing_messages"),
	value: z.enum(["stop", "resume"]),
	timestamp: time,
});
export const templateChangeSchema = z.looseObject({
	message_template_name: text,
	message_template_language: text,
	event: z.string().optional(),
	new_category: z.string().optional(),
	message_template_category: z.string().optional(),
});
