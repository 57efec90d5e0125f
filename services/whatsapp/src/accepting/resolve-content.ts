import type { Queryable } from "@airtower/platform/database/database";
import { windowStatus } from "../domain/conversation-window.ts";
import { parametersProblem } from "../domain/template-parameters.ts";
import { isSendable } from "../domain/template-state.ts";
import { findWindows } from "../store/conversations.ts";
import { findOwnNumbers, type OwnNumber } from "../store/phone-numbers.ts";
import {
	type CandidateTemplate,
	findCandidateTemplates,
} from "../store/templates.ts";
import type { Answers } from "./answers.ts";
import type { CheckedCandidate, SendableCandidate } from "./candidates.ts";

type Template = CandidateTemplate;
interface Numbered {
	readonly candidate: CheckedCandidate;
	readonly number: OwnNumber;
}

/** Holds each message against what is stored, by three queries; refuses those that may not go. */
export async function resolveContent(
	sql: Queryable,
	candidates: readonly CheckedCandidate[],
	now: Date,
	answers: Answers,
): Promise<SendableCandidate[]> {
	if (candidates.length === 0) return [];
	const numbered = await resolveNumbers(sql, candidates, answers);
	const templates = await readTemplates(sql, numbered);
	const windows = await readWindows(sql, numbered);
	const sendable: SendableCandidate[] = [];
	for (const one of numbered) {
		const { candidate } = one;
		const { case: kind, value } = candidate.message.content;
		if (kind === "template") {
			const template = templates.get(templateKey(one, value));
			const resolved = resolveTemplate(candidate, value, template, answers);
			if (resolved !== undefined) sendable.push(resolved);
		} else if (kind === "text") {
			const expiresAt = windows.get(windowKey(candidate));
			if (windowStatus(expiresAt, now) === "closed")
				answers.refuse(candidate, "service_window_closed");
			else
				sendable.push({
					...candidate,
					billingCategory: "service",
					templateId: null,
					content: { body: value.body },
				});
		}
	}
	return sendable;
}

async function resolveNumbers(
	sql: Queryable,
	candidates: readonly CheckedCandidate[],
	answers: Answers,
): Promise<Numbered[]> {
	const key = (organizationId: string, id: string) => `${organizationId} ${id}`;
	const wanted = new Map(
		candidates.map(({ organizationId, phoneNumberId: id }) => [
			key(organizationId, id),
			{ organizationId, id },
		]),
	);
	const rows = await findOwnNumbers(sql, [...wanted.values()]);
	const numbers = new Map(
		rows.map((row) => [key(row.organizationId, row.id), row]),
	);
	return candidates.flatMap((candidate) => {
		const { organizationId, phoneNumberId } = candidate;
		const number = numbers.get(key(organizationId, phoneNumberId));
		if (number !== undefined) return [{ candidate, number }];
		answers.refuse(candidate, "unknown_phone_number");
		return [];
	});
}

async function readTemplates(
	sql: Queryable,
	numbered: readonly Numbered[],
): Promise<Map<string, Template>> {
	const wanted = new Map(
		numbered.flatMap((one) => {
			const { content } = one.candidate.message;
			if (content.case !== "template") return [];
			const { name, language } = content.value;
			const { organizationId, providerAccountId } = one.number;
			return [
				[
					templateKey(one, content.value),
					{ organizationId, providerAccountId, name, language },
				] as const,
			];
		}),
	);
	const rows = await findCandidateTemplates(sql, [...wanted.values()]);
	return new Map(
		rows.map((row) => [
			templateKey({ number: row }, { name: row.name, language: row.language }),
			row,
		]),
	);
}

function templateKey(
	{
		number,
	}: {
		number: {
			readonly organizationId: string;
			readonly providerAccountId: string;
		};
	},
	{ name, language }: { readonly name: string; readonly language: string },
): string {
	const { organizationId, providerAccountId } = number;
	return JSON.stringify([organizationId, providerAccountId, name, language]);
}

async function readWindows(
	sql: Queryable,
	numbered: readonly Numbered[],
): Promise<Map<string, Date | null>> {
	const texts = numbered
		.map(({ candidate }) => candidate)
		.filter(({ message }) => message.content.case === "text");
	const rows = await findWindows(sql, texts);
	return new Map(rows.map((row) => [windowKey(row), row.windowExpiresAt]));
}

function windowKey(key: {
	readonly phoneNumberId: string;
	readonly recipient: string;
}): string {
	return `${key.phoneNumberId} ${key.recipient}`;
}

/** The message with its template, or undefined once it is refused. */
function resolveTemplate(
	candidate: CheckedCandidate,
	wanted: { readonly category: string; readonly parameters: readonly string[] },
	template: Template | undefined,
	answers: Answers,
): SendableCandidate | undefined {
	if (template === undefined) answers.refuse(candidate, "template_not_found");
	else if (!isSendable(template) || template.category === "marketing")
		answers.refuse(candidate, "template_not_sendable");
	else if (template.category !== wanted.category)
		answers.refuse(candidate, "template_category_mismatch");
	else {
		const problem = parametersProblem(template, wanted.parameters);
		if (problem === undefined)
			return {
				...candidate,
				billingCategory: template.category,
				templateId: template.id,
				content: { parameters: wanted.parameters },
			};
		answers.refuse(candidate, {
			reason: "template_parameters_mismatch",
			message: problem,
		});
	}
	return undefined;
}
