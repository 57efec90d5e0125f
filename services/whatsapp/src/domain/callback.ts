import { isUuid } from "@airtower/platform/runtime/ids";
import { z } from "zod";
import {
	type TemplateCategory,
	type TemplateStatus,
	templateCategoryOf,
	templateStatusOf,
} from "./template-state.ts";

/** What the provider says about a message that we sent. */
export interface StatusItem {
	readonly kind: "status";
	readonly providerPhoneNumberId: string;
	readonly providerMessageId: string;
	/** Our id, when the provider echoes it. */
	readonly messageId: string | undefined;
	readonly status: "sent" | "delivered" | "read" | "failed";
	readonly at: Date;
	readonly errorCode: number | undefined;
	/** As received, for support cases. */
	readonly errorText: string | undefined;
	/** What it is billed as, in the provider's word. */
	readonly category: string | undefined;
}

/** A message of a user. */
export interface InboundItem {
	readonly kind: "inbound";
	readonly providerPhoneNumberId: string;
	readonly providerMessageId: string;
	/** At least one of the two. */
	readonly waId: string | undefined;
	readonly userId: string | undefined;
	/** The message's own time. */
	readonly at: Date;
}

/** A template has changed. */
export interface TemplateItem {
	readonly kind: "template";
	readonly providerAccountId: string;
	readonly name: string;
	readonly language: string;
	readonly status: TemplateStatus | undefined;
	readonly category: TemplateCategory | undefined;
	readonly at: Date;
}

export type CallbackItem = StatusItem | InboundItem | TemplateItem;

export interface ReadCallback {
	readonly items: readonly CallbackItem[];
	/** One phrase for each thing that is not understood; it holds no content. */
	readonly problems: readonly string[];
}

/** Latest time that is believed, ms since the epoch: the year 2100. */
const MAX_TIME_MS = 4_102_444_800_000;
/** Numbers from here on are milliseconds already. */
const MIN_MS_VALUE = 100_000_000_000;
/** Longest provider's error that is kept, characters. */
const MAX_ERROR_LENGTH = 2_000;

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

const root = z.looseObject({ entry: array });
const entry = z.looseObject({
	id: z.coerce.string(),
	time: time.optional().catch(undefined),
	changes: array,
});
const change = z.looseObject({ field: text, value: z.unknown() });
const messagesValue = z.looseObject({
	metadata: z.looseObject({ phone_number_id: z.coerce.string() }),
	contacts: array,
	statuses: array,
	messages: array,
	errors: array,
});
const statusError = z.looseObject({ code: z.coerce.number() });
const status = z.looseObject({
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
const contact = z.looseObject({
	wa_id: text.optional().catch(undefined),
	user_id: text.optional().catch(undefined),
});
const inbound = z.looseObject({
	id: text,
	type: z.string(),
	timestamp: time,
	from: text.optional(),
	from_user_id: text.optional(),
});
const templateChange = z.looseObject({
	message_template_name: text,
	message_template_language: text,
	event: z.string().optional(),
	new_category: z.string().optional(),
	message_template_category: z.string().optional(),
});

/**
 * Walks every `entry[].changes[].value.{statuses,messages}[]`. Whatever is not understood is named
 * among the problems and leaves its neighbours alone.
 * @param receivedAt stands in for a time that an entry lacks
 */
export function readCallback(body: Uint8Array, receivedAt: Date): ReadCallback {
	const items: CallbackItem[] = [];
	const problems: string[] = [];
	const parsed = root.safeParse(parseJson(body));
	if (!parsed.success) return { items, problems: ["not a callback"] };
	for (const value of parsed.data.entry) {
		const one = entry.safeParse(value);
		if (!one.success) {
			problems.push("malformed entry");
			continue;
		}
		const context = {
			accountId: one.data.id,
			at: one.data.time ?? receivedAt,
		};
		for (const each of one.data.changes)
			readChange(each, context, items, problems);
	}
	return { items, problems };
}

interface EntryContext {
	readonly accountId: string;
	readonly at: Date;
}

function readChange(
	value: unknown,
	context: EntryContext,
	items: CallbackItem[],
	problems: string[],
): void {
	const parsed = change.safeParse(value);
	if (!parsed.success) {
		problems.push("malformed change");
		return;
	}
	const { field } = parsed.data;
	switch (field) {
		case "messages":
			readMessages(parsed.data.value, items, problems);
			break;
		case "message_template_status_update":
		case "template_category_update": {
			const item = templateItem(parsed.data.value, context);
			if (item === undefined) problems.push(`malformed ${field}`);
			else items.push(item);
			break;
		}
		default:
			problems.push(`unknown field ${field.slice(0, 64)}`);
	}
}

function readMessages(
	value: unknown,
	items: CallbackItem[],
	problems: string[],
): void {
	const parsed = messagesValue.safeParse(value);
	if (!parsed.success) {
		problems.push("malformed messages value");
		return;
	}
	const { statuses, messages, contacts, errors, metadata } = parsed.data;
	const phone = metadata.phone_number_id;
	for (const each of statuses) {
		const item = statusItem(each, phone);
		if (item === undefined) problems.push("unreadable status");
		else items.push(item);
	}
	for (const each of messages) {
		const item = inboundItem(each, phone, contacts);
		if (item === undefined) problems.push("unreadable message");
		else items.push(item);
	}
	if (errors.length > 0) problems.push("errors of the number");
}

function statusItem(value: unknown, phone: string): StatusItem | undefined {
	const parsed = status.safeParse(value);
	if (!parsed.success) return undefined;
	const { id, timestamp, errors, pricing } = parsed.data;
	const echoed = parsed.data.biz_opaque_callback_data;
	return {
		kind: "status",
		providerPhoneNumberId: phone,
		providerMessageId: id,
		messageId:
			echoed !== undefined && isUuid(echoed) ? echoed.toLowerCase() : undefined,
		status: parsed.data.status,
		at: timestamp,
		errorCode: errors[0]?.code,
		errorText:
			errors.length === 0
				? undefined
				: JSON.stringify(errors)
						.replaceAll("\\u0000", "")
						.slice(0, MAX_ERROR_LENGTH),
		category: pricing?.category,
	};
}

function inboundItem(
	value: unknown,
	phone: string,
	contacts: readonly unknown[],
): InboundItem | undefined {
	const parsed = inbound.safeParse(value);
	if (!parsed.success || parsed.data.type === "system") return undefined;
	const { id, timestamp, from, from_user_id } = parsed.data;
	const sender = senderOf(contacts, from);
	const userId = from_user_id ?? sender?.user_id;
	const waId = from ?? sender?.wa_id;
	if (waId === undefined && userId === undefined) return undefined;
	return {
		kind: "inbound",
		providerPhoneNumberId: phone,
		providerMessageId: id,
		waId,
		userId,
		at: timestamp,
	};
}

/** The contact that a message came from: the one with its number, or the only one. */
function senderOf(contacts: readonly unknown[], from: string | undefined) {
	const all = contacts.flatMap((value) => {
		const parsed = contact.safeParse(value);
		return parsed.success ? [parsed.data] : [];
	});
	const named = all.find(
		(one) => one.wa_id !== undefined && one.wa_id === from,
	);
	return named ?? (all.length === 1 ? all[0] : undefined);
}

function templateItem(
	value: unknown,
	context: EntryContext,
): TemplateItem | undefined {
	const parsed = templateChange.safeParse(value);
	if (!parsed.success) return undefined;
	const { event, new_category, message_template_category } = parsed.data;
	const category = templateCategoryOf(
		new_category ?? message_template_category ?? "",
	);
	const status = event === undefined ? undefined : templateStatusOf(event);
	if (category === undefined && status === undefined) return undefined;
	return {
		kind: "template",
		providerAccountId: context.accountId,
		name: parsed.data.message_template_name,
		language: parsed.data.message_template_language,
		status,
		category,
		at: context.at,
	};
}

function parseJson(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		return undefined;
	}
}
