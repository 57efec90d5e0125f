import { demoTemplates } from "./demo-templates.ts";
import type { MetaTemplate } from "./meta-template.ts";

const DEFAULT_PAGE_SIZE = 25;

export class TemplateStore {
	#templates: MetaTemplate[];

	constructor(templates: readonly MetaTemplate[] = demoTemplates) {
		this.#templates = structuredClone([...templates]);
	}

	get all(): readonly MetaTemplate[] {
		return this.#templates;
	}

	find(name: string, language: string): MetaTemplate | undefined {
		return this.#templates.find(
			(one) => one.name === name && one.language === language,
		);
	}

	remove(name: string, language: string): void {
		const removed = this.find(name, language);
		this.#templates = this.#templates.filter((one) => one !== removed);
	}

	/** One page of the list with the `fields` that were asked for, and Meta's paging. */
	page(url: URL): object {
		const limit = Number(url.searchParams.get("limit") ?? DEFAULT_PAGE_SIZE);
		const after = url.searchParams.get("after");
		const start = after === null ? 0 : parseCursor(after);
		const data = this.#templates
			.slice(start, start + limit)
			.map((template) => withFields(template, url.searchParams.get("fields")));
		const end = start + data.length;
		const cursors = { before: toCursor(start), after: toCursor(end) };
		const next = new URL(url);
		next.searchParams.set("after", cursors.after);
		const isLast = end >= this.#templates.length;
		return { data, paging: { cursors, ...(!isLast && { next: next.href }) } };
	}
}

/** All fields when none are named; the id is always among them. */
function withFields(template: MetaTemplate, fields: string | null): object {
	if (fields === null) return template;
	const wanted = ["id", ...fields.split(",")];
	return Object.fromEntries(
		Object.entries(template).filter(([name]) => wanted.includes(name)),
	);
}

function toCursor(offset: number): string {
	return Buffer.from(`offset:${offset}`).toString("base64url");
}

function parseCursor(cursor: string): number {
	const text = Buffer.from(cursor, "base64url").toString();
	return Number(text.replace("offset:", ""));
}
