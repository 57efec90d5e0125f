import type { Queryable } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { toStoredTrace } from "@airtower/platform/tracing/spans";
import { refuse } from "@airtower/platform/work/batch";
import {
	type SendWhatsAppMessage,
	type WhatsAppAccepted,
	WhatsAppAcceptedSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { create } from "@bufbuild/protobuf";
import { windowStatus } from "../domain/conversation-window.ts";
import { parametersProblem } from "../domain/template-parameters.ts";
import { type BillingCategory, isSendable } from "../domain/template-state.ts";
import type { CandidateTemplate } from "../store/candidate-templates.ts";
import type { DispatchContent } from "../store/dispatch/dispatch.ts";
import type { CheckedMessage } from "./check-messages.ts";
import {
	findNumbers,
	findTemplates,
	findWindowEnds,
	type NumberedMessage,
	templateKey,
	windowKey,
} from "./find-content.ts";
import { messageRefusal, type Refusal } from "./message-refusal.ts";

interface Resolved {
	readonly billingCategory: BillingCategory;
	readonly templateId: string | null;
	readonly content: DispatchContent;
}

/** A message that may go out as things stand, with the response that its client gets once it is stored. */
export interface SendableMessage extends CheckedMessage, Resolved {
	readonly accepted: WhatsAppAccepted;
	/** Null for a message that is not traced. */
	readonly traceparent: string | null;
}

type TemplateContent = Extract<
	SendWhatsAppMessage["content"],
	{ case: "template" }
>["value"];

/** Holds each message against what is stored, by three queries; refuses those that may not go. */
export async function resolveContent(
	sql: Queryable,
	messages: readonly CheckedMessage[],
	now: Date,
): Promise<SendableMessage[]> {
	if (messages.length === 0) return [];
	const numbered = await findNumbers(sql, messages);
	const templates = await findTemplates(sql, numbered);
	const windows = await findWindowEnds(sql, numbered);
	return numbered.flatMap((message) => {
		const { content } = message.item.message;
		const resolved =
			content.case === "template"
				? resolveTemplate(
						content.value,
						templates.get(templateKey({ ...message.number, ...content.value })),
					)
				: resolveText(
						content.value?.body ?? "",
						windowStatus(windows.get(windowKey(message)), now),
					);
		return toSendable(message, resolved);
	});
}

function toSendable(
	message: NumberedMessage,
	resolved: Resolved | Refusal,
): SendableMessage[] {
	if (typeof resolved === "string" || "reason" in resolved) {
		refuse(message.item, messageRefusal(resolved));
		return [];
	}
	const accepted = create(WhatsAppAcceptedSchema, { messageId: uuidv7() });
	const given = message.item.message.traceparent;
	const traceparent = toStoredTrace("accept message", given) ?? null;
	return [{ ...message, ...resolved, accepted, traceparent }];
}

function resolveText(
	body: string,
	window: "open" | "closed",
): Resolved | Refusal {
	if (window === "closed") return "service_window_closed";
	return { billingCategory: "service", templateId: null, content: { body } };
}

function resolveTemplate(
	{ category, parameters }: TemplateContent,
	template: CandidateTemplate | undefined,
): Resolved | Refusal {
	if (template === undefined) return "template_not_found";
	const { id: templateId, category: billingCategory } = template;
	if (!isSendable(template) || billingCategory === "marketing")
		return "template_not_sendable";
	if (billingCategory !== category) return "template_category_mismatch";
	const message = parametersProblem(template, parameters);
	return message === undefined
		? { billingCategory, templateId, content: { parameters } }
		: { reason: "template_parameters_mismatch", message };
}
