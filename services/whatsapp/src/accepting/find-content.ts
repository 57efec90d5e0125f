import type { Queryable } from "@airtower/platform/database/database";
import { refuse } from "@airtower/platform/work/batch";
import {
	type CandidateTemplate,
	findCandidateTemplates,
	type TemplateName,
} from "../store/candidate-templates.ts";
import { findOwnNumbers, type OwnNumber } from "../store/phone-numbers.ts";
import { findWindows } from "../store/windows.ts";
import type { CheckedMessage } from "./check-messages.ts";
import { messageRefusal } from "./message-refusal.ts";

export interface NumberedMessage extends CheckedMessage {
	readonly number: OwnNumber;
}

export async function findNumbers(
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

export async function findTemplates(
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

export function templateKey(template: TemplateName): string {
	const { organizationId, providerAccountId, name, language } = template;
	return JSON.stringify([organizationId, providerAccountId, name, language]);
}

export async function findWindowEnds(
	sql: Queryable,
	messages: readonly NumberedMessage[],
): Promise<Map<string, Date | null>> {
	const texts = messages.filter(
		({ item }) => item.message.content.case === "text",
	);
	const rows = await findWindows(sql, texts);
	return new Map(rows.map((row) => [windowKey(row), row.windowExpiresAt]));
}

export function windowKey(
	key: Pick<CheckedMessage, "phoneNumberId" | "recipient">,
): string {
	return `${key.phoneNumberId} ${key.recipient}`;
}
