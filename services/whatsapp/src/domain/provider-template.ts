import { z } from "zod";
import {
	parseTemplateCategory,
	parseTemplateStatus,
	type TemplateCategory,
	type TemplateStatus,
} from "./template-state.ts";

export interface ProviderTemplate {
	readonly providerTemplateId: string;
	readonly name: string;
	readonly language: string;
	readonly category: TemplateCategory;
	readonly status: TemplateStatus;
	readonly body: string;
	readonly parameterCount: number;
	/** Undefined when the placeholders are numbered. */
	readonly parameterNames: readonly string[] | undefined;
	/** False when a send must give more than the body's parameters. */
	readonly bodyOnly: boolean;
}

const button = z.looseObject({
	type: z.string().default(""),
	url: z.string().default(""),
});
const component = z.looseObject({
	type: z.string(),
	format: z.string().default("TEXT"),
	text: z.string().default(""),
	buttons: z.array(button).default([]),
});
const template = z.looseObject({
	id: z.coerce.string(),
	name: z.string(),
	language: z.string(),
	category: z.string(),
	status: z.string(),
	components: z.array(component).default([]),
});

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;
const NUMBER = /^[0-9]+$/;

/** Reads one entry of the provider's template list; undefined for one that cannot be read. */
export function readProviderTemplate(
	value: unknown,
): ProviderTemplate | undefined {
	const parsed = template.safeParse(value);
	if (!parsed.success) return undefined;
	const { id, name, language, components } = parsed.data;
	const category = parseTemplateCategory(parsed.data.category);
	if (category === undefined) return undefined;
	const body = components.find((one) => isType(one, "BODY"))?.text ?? "";
	const placeholders = findPlaceholders(body);
	const named = placeholders.some((placeholder) => !NUMBER.test(placeholder));
	return {
		providerTemplateId: id,
		name,
		language,
		category,
		body,
		status: parseTemplateStatus(parsed.data.status) ?? "disabled",
		parameterCount: placeholders.length,
		parameterNames: named ? placeholders : undefined,
		bodyOnly: components.every((one) => needsNothing(one, category)),
	};
}

/** Places of a text in the order in which values are given: by number, or by first appearance. */
export function findPlaceholders(text: string): string[] {
	const placeholders = [
		...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? "")),
	];
	return placeholders.every((placeholder) => NUMBER.test(placeholder))
		? placeholders.sort((a, b) => Number(a) - Number(b))
		: placeholders;
}

function needsNothing(
	part: z.infer<typeof component>,
	category: TemplateCategory,
): boolean {
	if (isType(part, "HEADER"))
		return part.format === "TEXT" && findPlaceholders(part.text).length === 0;
	if (!isType(part, "BUTTONS")) return true;
	return (
		category === "authentication" ||
		part.buttons.every((one) => findPlaceholders(one.url).length === 0)
	);
}

function isType(part: { readonly type: string }, type: string): boolean {
	return part.type.toUpperCase() === type;
}
