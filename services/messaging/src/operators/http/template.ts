import type { z } from "zod";

/** What stands for a placeholder, by its name. */
export type Values = ReadonlyMap<string, string | number>;

export type Json = z.core.util.JSONType;

const PLACEHOLDER = /\{([a-zA-Z][a-zA-Z0-9]*)\}/g;
const ONLY_PLACEHOLDER = /^\{([a-zA-Z][a-zA-Z0-9]*)\}$/;

/** Names of the placeholders of a text such as "Bearer {token}"; braces around anything else are plain text. */
export function placeholdersOf(template: string): string[] {
	return [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** Each value is escaped by itself, so that none can become more than a value. */
export function fill(
	template: string,
	values: Values,
	escapeOne: (value: string) => string = (value) => value,
): string {
	return template.replace(PLACEHOLDER, (_, name: string) =>
		escapeOne(String(values.get(name) ?? "")),
	);
}

/** Names and values of a query or form; one whose value comes out empty is left out. */
export function fillParameters(
	templates: Readonly<Record<string, string>>,
	values: Values,
): string {
	const filled = Object.entries(templates)
		.map(([name, template]) => [name, fill(template, values)] as const)
		.filter(([, value]) => value !== "");
	return new URLSearchParams(filled.map((pair) => [...pair])).toString();
}

/**
 * Fills the texts of a JSON document. One that is a placeholder and nothing else becomes a number where the value is
 * one; a property whose placeholders come out empty is left out.
 */
export function fillJson(template: Json, values: Values): Json {
	if (typeof template === "string") return fillText(template, values);
	if (Array.isArray(template))
		return template.map((item) => fillJson(item, values));
	if (template === null || typeof template !== "object") return template;
	return Object.fromEntries(
		Object.entries(template).flatMap(([name, item]) => {
			const filled = fillJson(item, values);
			return filled === "" && item !== "" ? [] : [[name, filled]];
		}),
	);
}

function fillText(template: string, values: Values): string | number {
	const [, name] = ONLY_PLACEHOLDER.exec(template) ?? [];
	return name === undefined ? fill(template, values) : (values.get(name) ?? "");
}

/** All texts of a JSON document that may have placeholders. */
export function textsOf(json: Json): string[] {
	if (typeof json === "string") return [json];
	if (json === null || typeof json !== "object") return [];
	return Object.values(json).flatMap(textsOf);
}
