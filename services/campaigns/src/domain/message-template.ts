import { invalid } from "@airtower/platform/runtime/domain-error";
import { isLongerThan } from "@airtower/proto/rules/plain-text";
import { countSegments } from "@airtower/proto/rules/segments";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const NAME_PLACEHOLDER = /^\s*name\s*(?:\|([^|]*))?$/;

/** Unicode characters of a message, and so of a template. */
const MAX_LENGTH = 1_600;
const MAX_SEGMENTS = 10;

/** Throws invalid `invalid_template` or `message_too_long` on the field `message_template`. */
export function assertTemplate(template: string): void {
	if (template.trim() === "") throw invalidTemplate("The text is empty.");
	const fixed = template.replaceAll(PLACEHOLDER, "");
	if (isTooLong(template) || countSegments(fixed).segments > MAX_SEGMENTS)
		throw invalid(
			"message_too_long",
			"message_template",
			`A message has at most ${MAX_LENGTH} characters and ${MAX_SEGMENTS} segments; shorten the text.`,
		);
	for (const [placeholder, inner = ""] of template.matchAll(PLACEHOLDER)) {
		if (!NAME_PLACEHOLDER.test(inner))
			throw invalidTemplate(
				`${placeholder} is not known; use {{name}} or {{name|fallback}}.`,
			);
	}
	if (/\{\{|\}\}/.test(fixed))
		throw invalidTemplate(
			"A {{ or }} stands alone; use {{name}} or {{name|fallback}}.",
		);
}

/**
 * The template without spaces around what is in its placeholders, for a new campaign: one that has begun must have the
 * same texts whichever release sends them.
 */
export function trimPlaceholders(template: string): string {
	return template.replaceAll(PLACEHOLDER, (_, inner: string) => {
		const trimmed = inner.split("|").map((part) => part.trim());
		return `{{${trimmed.join("|")}}}`;
	});
}

/** True for a text that no message may have; its segments are left to messaging. */
export function isTooLong(text: string): boolean {
	return isLongerThan(text, MAX_LENGTH);
}

/** The text for one recipient; an empty name takes the placeholder's fallback. */
export function renderTemplate(template: string, name: string): string {
	return template.replaceAll(PLACEHOLDER, (_, inner: string) => {
		const fallback = NAME_PLACEHOLDER.exec(inner)?.[1] ?? "";
		return name === "" ? fallback : name;
	});
}

function invalidTemplate(message: string) {
	return invalid("invalid_template", "message_template", message);
}
