import { z } from "zod";
import { type MetaError, metaError } from "./meta-error.ts";
import { findParameterFault } from "./parameter-fault.ts";
import type { TemplateStore } from "./template-store.ts";

const parameter = z.looseObject({
	type: z.literal("text"),
	text: z.string(),
	parameter_name: z.string().optional(),
});
const component = z.looseObject({
	type: z.string(),
	sub_type: z.string().optional(),
	index: z.union([z.string(), z.number()]).optional(),
	parameters: z.array(parameter).default([]),
});
const sendSchema = z.looseObject({
	messaging_product: z.literal("whatsapp"),
	recipient_type: z.literal("individual").default("individual"),
	to: z.string().regex(/^\+?[0-9]{6,20}$/),
	biz_opaque_callback_data: z.string().max(512).default(""),
	type: z.string().default("text"),
	text: z.looseObject({ body: z.string() }).optional(),
	template: z
		.looseObject({
			name: z.string(),
			language: z.looseObject({ code: z.string() }),
			components: z.array(component).default([]),
		})
		.optional(),
});

export interface CheckedSend {
	/** Digits. */
	readonly to: string;
	readonly type: "template" | "text";
	readonly opaque: string;
	readonly category: string;
}

/** Unicode code points. */
const MAX_TEXT_LENGTH = 4_096;

/** Checks a send as Meta does; returns its error for one that cannot be taken. */
export function checkSend(
	body: unknown,
	templates: TemplateStore,
): CheckedSend | MetaError {
	const parsed = sendSchema.safeParse(body);
	if (!parsed.success)
		return metaError(100, parsed.error.issues[0]?.path.join("."));
	const { to, type, biz_opaque_callback_data: opaque } = parsed.data;
	const category =
		type === "text"
			? checkText(parsed.data.text?.body)
			: type === "template"
				? checkTemplate(parsed.data.template, templates)
				: metaError(131_051);
	if (typeof category !== "string") return category;
	return {
		opaque,
		category,
		to: to.replace("+", ""),
		type: type === "text" ? "text" : "template",
	};
}

function checkText(body: string | undefined): string | MetaError {
	if (body === undefined || body === "") return metaError(131_008, "text.body");
	return [...body].length > MAX_TEXT_LENGTH ? metaError(131_009) : "service";
}

function checkTemplate(
	sent: z.infer<typeof sendSchema>["template"],
	templates: TemplateStore,
): string | MetaError {
	if (sent === undefined) return metaError(131_008, "template");
	const known = templates.find(sent.name, sent.language.code);
	if (known === undefined) return metaError(132_001);
	if (known.status === "PAUSED") return metaError(132_015);
	if (known.status !== "APPROVED") return metaError(132_016);
	return (
		findParameterFault(known, sent.components) ?? known.category.toLowerCase()
	);
}
