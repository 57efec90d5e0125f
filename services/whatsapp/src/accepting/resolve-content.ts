import type { Queryable } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { toMessageTrace } from "@airtower/platform/tracing/trace-message";
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
import { messageRefusal, type Refusal } from "../errors.ts";
import type { DispatchContent } from "../store/dispatch.ts";
import { findOwnNumbers, type OwnNumber } from "../store/phone-numbers.ts";
import {
	type CandidateTemplate,
	findCandidateTemplates,
	type TemplateName,
} from "../store/templates.ts";
import { findWindows } from "../store/windows.ts";
import type { CheckedMessage } from "./check-messages.ts";

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

interface NumberedMessage extends CheckedMessage {
	readonly number: OwnNumber;
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
	const traceparent = toMessageTrace(message.item.message.traceparent) ?? null;
	return [{ ...message, ...resolved, accepted, traceparent }];
}

async function findNumbers(
	sql: Queryable,
	messages: readonly CheckedMessage[],
): Promise<NumberedMessage[]> {
	const wanted = messages.map(({ item, phoneNumberId }) => ({
		organizationId: item.organizationId,
		id: phoneNumberId,
	}));
	const rows = await findOwnNumbers(sql, wanted);
	const keyOf = (owner: string, id: string) => `${owner} ${id}`;
	const numbers = new Map(
		rows.map((row) => [keyOf(row.organizationId, row.id), row]),
	);
	return messages.flatMap((message) => {
		const { item, phoneNumberId } = message;
		const number = numbers.get(keyOf(item.organizationId, phoneNumberId));
		if (number !== undefined) return [{ ...message, number }];
		refuse(item, messageRefusal("unknown_phone_number"));
		return [];
	});
}

async function findTemplates(
	sql: Queryable,
	messages: readonly NumberedMessage[],
): Promise<Map<string, CandidateTemplate>> {
	const wanted = messages.flatMap(({ item, number }) => {
		const { content } = item.message;
		return content.case === "template" ? [{ ...number, ...content.value }] : [];
	});
	const rows = await findCandidateTemplates(sql, wanted);
	return new Map(rows.map((row) => [templateKey(row), row]));
}

function templateKey(template: TemplateName): string {
	const { organizationId, providerAccountId, name, language } = template;
	return JSON.stringify([organizationId, providerAccountId, name, language]);
}

async function findWindowEnds(
	sql: Queryable,
	messages: readonly NumberedMessage[],
): Promise<Map<string, Date | null>> {
	const texts = messages.filter(
		({ item }) => item.message.content.case === "text",
	);
	const rows = await findWindows(sql, texts);
	return new Map(rows.map((row) => [windowKey(row), row.windowExpiresAt]));
}

function windowKey(
	key: Pick<CheckedMessage, "phoneNumberId" | "recipient">,
): string {
	return `${key.phoneNumberId} ${key.recipient}`;
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
