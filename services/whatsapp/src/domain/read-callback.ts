import { isUuid } from "@airtower/platform/runtime/ids";
import type {
	CallbackItem,
	InboundItem,
	PreferenceItem,
	StatusItem,
	TemplateItem,
} from "./callback-item.ts";
import {
	callbackSchema,
	changeSchema,
	contactSchema,
	entrySchema,
	inboundSchema,
	messagesSchema,
	preferenceSchema,
	preferencesSchema,
	statusSchema,
	templateChangeSchema,
} from "./callback-schema.ts";
import {
	parseTemplateCategory,
	parseTemplateStatus,
} from "./template-state.ts";
import { userNumber } from "./user-number.ts";

interface ReadCallback {
	readonly items: readonly CallbackItem[];
	/** One phrase for each thing that is not understood; it contains no content. */
	readonly problems: readonly string[];
}

interface Problem {
	readonly kind: "problem";
	readonly text: string;
}

type Found = CallbackItem | Problem;

interface EntryContext {
	readonly accountId: string;
	readonly at: Date;
}

const MAX_ERROR_LENGTH = 2_000;

/** @param receivedAt stands in for a time that an entry lacks */
export function readCallback(body: Uint8Array, receivedAt: Date): ReadCallback {
	const callback = callbackSchema.safeParse(parseJson(body));
	const found = callback.success
		? callback.data.entry.flatMap((entry) => readEntry(entry, receivedAt))
		: [problem("not a callback")];
	return {
		items: found.filter((one) => one.kind !== "problem"),
		problems: found.flatMap((one) => (one.kind === "problem" ? one.text : [])),
	};
}

function problem(text: string): Problem {
	return { kind: "problem", text };
}

function readEntry(value: unknown, receivedAt: Date): Found[] {
	const entry = entrySchema.safeParse(value);
	if (!entry.success) return [problem("malformed entry")];
	const { id: accountId, time: at = receivedAt, changes } = entry.data;
	return changes.flatMap((change) => readChange(change, { accountId, at }));
}

function readChange(given: unknown, context: EntryContext): Found[] {
	const change = changeSchema.safeParse(given);
	if (!change.success) return [problem("malformed change")];
	const { field, value } = change.data;
	switch (field) {
		case "messages":
			return readMessages(value);
		case "user_preferences":
			return readPreferences(value);
		case "message_template_status_update":
		case "template_category_update":
			return [readTemplate(value, context) ?? problem(`malformed ${field}`)];
		default:
			return [problem(`unknown field ${field.slice(0, 64)}`)];
	}
}

function readMessages(value: unknown): Found[] {
	const parsed = messagesSchema.safeParse(value);
	if (!parsed.success) return [problem("malformed messages value")];
	const { statuses, messages, contacts, errors, metadata } = parsed.data;
	const phone = metadata.phone_number_id;
	return [
		...statuses.map(
			(one) => readStatus(one, phone) ?? problem("unreadable status"),
		),
		...messages.map(
			(one) =>
				readInbound(one, phone, contacts) ?? problem("unreadable message"),
		),
		...(errors.length > 0 ? [problem("errors of the number")] : []),
	];
}

function readStatus(value: unknown, phone: string): StatusItem | undefined {
	const parsed = statusSchema.safeParse(value);
	if (!parsed.success) return undefined;
	const { id, status, timestamp, errors, pricing } = parsed.data;
	const echoed = parsed.data.biz_opaque_callback_data ?? "";
	const text = JSON.stringify(errors).replaceAll("\\u0000", "");
	return {
		kind: "status",
		providerPhoneNumberId: phone,
		providerMessageId: id,
		messageId: isUuid(echoed) ? echoed.toLowerCase() : undefined,
		status,
		at: timestamp,
		errorCode: errors[0]?.code,
		errorText: errors.length > 0 ? text.slice(0, MAX_ERROR_LENGTH) : undefined,
		category: pricing?.category,
	};
}

function readInbound(
	value: unknown,
	phone: string,
	contacts: readonly unknown[],
): InboundItem | undefined {
	const parsed = inboundSchema.safeParse(value);
	if (!parsed.success || parsed.data.type === "system") return undefined;
	const { id, timestamp, from, from_user_id } = parsed.data;
	const sender = findSender(contacts, from);
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
function findSender(contacts: readonly unknown[], from: string | undefined) {
	const all = contacts.flatMap((value) => {
		const parsed = contactSchema.safeParse(value);
		return parsed.success ? [parsed.data] : [];
	});
	const named = all.find(({ wa_id }) => wa_id !== undefined && wa_id === from);
	return named ?? (all.length === 1 ? all[0] : undefined);
}

function readPreferences(value: unknown): Found[] {
	const parsed = preferencesSchema.safeParse(value);
	if (!parsed.success) return [problem("malformed user_preferences value")];
	const { metadata, user_preferences } = parsed.data;
	return user_preferences.map(
		(one) =>
			readPreference(one, metadata.phone_number_id) ??
			problem("unreadable user preference"),
	);
}

function readPreference(
	given: unknown,
	providerPhoneNumberId: string,
): PreferenceItem | undefined {
	const parsed = preferenceSchema.safeParse(given);
	if (!parsed.success) return undefined;
	const { wa_id, value, timestamp: at } = parsed.data;
	const recipient = userNumber(wa_id);
	if (recipient === null) return undefined;
	const isStopped = value === "stop";
	return {
		kind: "preference",
		providerPhoneNumberId,
		recipient,
		isStopped,
		at,
	};
}

function readTemplate(
	value: unknown,
	{ accountId, at }: EntryContext,
): TemplateItem | undefined {
	const parsed = templateChangeSchema.safeParse(value);
	if (!parsed.success) return undefined;
	const { event, new_category, message_template_category } = parsed.data;
	const category = parseTemplateCategory(
		new_category ?? message_template_category ?? "",
	);
	const status = parseTemplateStatus(event ?? "");
	if (category === undefined && status === undefined) return undefined;
	return {
		kind: "template",
		providerAccountId: accountId,
		name: parsed.data.message_template_name,
		language: parsed.data.message_template_language,
		status,
		category,
		at,
	};
}

function parseJson(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		return undefined;
	}
}
