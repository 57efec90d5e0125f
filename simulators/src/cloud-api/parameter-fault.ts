import { type MetaError, metaError } from "./meta-error.ts";
import { findPlaceholders, type MetaTemplate } from "./meta-template.ts";

interface SentComponent {
	readonly type: string;
	readonly sub_type?: string | undefined;
	readonly index?: string | number | undefined;
	readonly parameters: readonly SentParameter[];
}

interface SentParameter {
	readonly text: string;
	readonly parameter_name?: string | undefined;
}

export function findParameterFault(
	template: MetaTemplate,
	components: readonly SentComponent[],
): MetaError | undefined {
	const body = components.find(({ type }) => type === "body")?.parameters ?? [];
	const placeholders = findPlaceholders(template);
	if (body.length !== placeholders.length) return metaError(132_000);
	if (template.parameter_format === "NAMED" && !areNamed(body, placeholders))
		return metaError(100, "Parameter name is missing or unknown.");
	const values = components.flatMap(({ parameters }) => parameters);
	if (values.some(({ text }) => text.trim() === ""))
		return metaError(131_008, "Parameter of type text is missing text value.");
	const buttons = components.filter(({ type }) => type === "button");
	if (!buttons.every(isFirstUrlButton))
		return metaError(131_008, "The button's sub_type or index is missing.");
	const needsCode = template.category === "AUTHENTICATION";
	if (needsCode && buttons[0]?.parameters[0]?.text !== body[0]?.text)
		return metaError(131_008, "The code is missing in the button.");
	return undefined;
}

/** Every placeholder has a value, in any order. */
function areNamed(
	body: readonly SentParameter[],
	placeholders: readonly string[],
): boolean {
	const names = new Set(body.map(({ parameter_name }) => parameter_name));
	return placeholders.every((placeholder) => names.has(placeholder));
}

function isFirstUrlButton({ sub_type, index }: SentComponent): boolean {
	return sub_type === "url" && String(index) === "0";
}
