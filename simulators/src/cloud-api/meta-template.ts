export interface MetaTemplate {
	readonly id: string;
	readonly name: string;
	readonly language: string;
	status: string;
	category: string;
	readonly parameter_format: "POSITIONAL" | "NAMED";
	readonly components: readonly MetaComponent[];
}

interface MetaComponent {
	readonly type: "BODY" | "HEADER" | "FOOTER" | "BUTTONS";
	readonly format?: string;
	readonly text?: string;
	readonly buttons?: readonly { type: string; text: string; url: string }[];
}

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** Places in the body: a send must give a value for each. */
export function findPlaceholders(template: MetaTemplate): string[] {
	const body = template.components.find((part) => part.type === "BODY");
	const placeholders = [...(body?.text ?? "").matchAll(PLACEHOLDER)];
	return [...new Set(placeholders.map((match) => match[1] ?? ""))];
}
