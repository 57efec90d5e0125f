import {
	countCharacters,
	isLongerThan,
	isStorable,
} from "@airtower/proto/rules/plain-text";
import type { TemplateCategory } from "./template-state.ts";

/** Longest code of an authentication template, characters. */
const MAX_CODE_LENGTH = 15;
/** Longest values together, characters: the provider's limit for a body. */
const MAX_TOTAL_LENGTH = 1_024;
/** What the provider refuses inside a value. */
const UNSENDABLE = /[\n\r\t]| {5,}/;

export interface ExpectedParameters {
	readonly category: TemplateCategory;
	readonly parameterCount: number;
}

export function parametersProblem(
	template: ExpectedParameters,
	values: readonly string[],
): string | undefined {
	const { category, parameterCount } = template;
	if (values.length !== parameterCount)
		return `The template takes ${parameterCount} parameters, not ${values.length}.`;
	if (values.some((value) => value.trim() === ""))
		return "A parameter is empty.";
	if (values.some((value) => UNSENDABLE.test(value) || !isStorable(value)))
		return "A parameter must not contain line breaks, tabs, control characters or more than four spaces in a row.";
	if (category === "authentication" && values.some(isTooLongForCode))
		return `The code of an authentication template has at most ${MAX_CODE_LENGTH} characters.`;
	const total = values.reduce((sum, value) => sum + countCharacters(value), 0);
	return total > MAX_TOTAL_LENGTH
		? `The parameters have at most ${MAX_TOTAL_LENGTH} characters together.`
		: undefined;
}

function isTooLongForCode(value: string): boolean {
	return isLongerThan(value, MAX_CODE_LENGTH);
}

/** What Postgres and JSON can store. */
