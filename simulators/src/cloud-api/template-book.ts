/** A template as Meta lists it. */
export interface MetaTemplate {
	readonly id: string;
	readonly name: string;
	readonly language: string;
	status: string;
	category: string;
	readonly parameter_format: "POSITIONAL" | "NAMED";
	readonly components: readonly MetaComponent[];
}

export interface MetaComponent {
	readonly type: "BODY" | "HEADER" | "FOOTER" | "BUTTONS";
	readonly format?: string;
	readonly text?: string;
	readonly buttons?: readonly { type: string; text: string; url: string }[];
}

const PLACE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;
const DEFAULT_PAGE_SIZE = 25;

/** The templates of one business account. */
export class TemplateBook {
	readonly #templates: MetaTemplate[];

	constructor(templates: readonly MetaTemplate[] = demoTemplates()) {
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

	add(template: MetaTemplate): void {
		this.#templates.push(template);
	}

	remove(name: string, language: string): void {
		const index = this.#templates.findIndex(
			(one) => one.name === name && one.language === language,
		);
		if (index >= 0) this.#templates.splice(index, 1);
	}

	/** One page of the list with the `fields` that were asked for, and Meta's paging. */
	page(url: URL): object {
		const limit = Number(url.searchParams.get("limit") ?? DEFAULT_PAGE_SIZE);
		const after = url.searchParams.get("after");
		const start = after === null ? 0 : offsetOf(after);
		const data = this.#templates
			.slice(start, start + limit)
			.map((template) => withFields(template, url.searchParams.get("fields")));
		const end = start + data.length;
		const cursors = { before: cursorOf(start), after: cursorOf(end) };
		const next = new URL(url);
		next.searchParams.set("after", cursors.after);
		const isLast = end >= this.#templates.length;
		return { data, paging: { cursors, ...(!isLast && { next: next.href }) } };
	}
}

/** Places in the body: a send must give a value for each. */
export function placesOf(template: MetaTemplate): string[] {
	const body = template.components.find((part) => part.type === "BODY");
	const places = [...(body?.text ?? "").matchAll(PLACE)];
	return [...new Set(places.map((match) => match[1] ?? ""))];
}

/** All fields when none are named; the id is always among them. */
function withFields(template: MetaTemplate, fields: string | null): object {
	if (fields === null) return template;
	const wanted = ["id", ...fields.split(",")];
	return Object.fromEntries(
		Object.entries(template).filter(([name]) => wanted.includes(name)),
	);
}

function cursorOf(offset: number): string {
	return Buffer.from(`offset:${offset}`).toString("base64url");
}

function offsetOf(cursor: string): number {
	const text = Buffer.from(cursor, "base64url").toString();
	return Number(text.replace("offset:", ""));
}

/** What a fresh look-alike holds: templates that can be sent, and some that cannot. */
export function demoTemplates(): MetaTemplate[] {
	return [
		template(
			"1000000000000001",
			"order_update",
			"en_US",
			"UTILITY",
			"Hi {{1}}, your order {{2}} is on its way.",
		),
		template(
			"1000000000000002",
			"order_update",
			"fr",
			"UTILITY",
			"Bonjour {{1}}, votre commande {{2}} est en route.",
		),
		template(
			"1000000000000003",
			"appointment_reminder",
			"en_US",
			"UTILITY",
			"We look forward to seeing you tomorrow.",
		),
		{
			...template(
				"1000000000000004",
				"login_code",
				"en_US",
				"AUTHENTICATION",
				"*{{1}}* is your verification code.",
			),
			components: [
				{ type: "BODY", text: "*{{1}}* is your verification code." },
				{
					type: "BUTTONS",
					buttons: [
						{
							type: "URL",
							text: "Copy code",
							url: "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}",
						},
					],
				},
			],
		},
		template(
			"1000000000000005",
			"spring_sale",
			"en_US",
			"MARKETING",
			"{{1}}, everything at half price!",
		),
		{
			...template(
				"1000000000000006",
				"parcel_survey",
				"en_US",
				"UTILITY",
				"How did we do, {{1}}?",
			),
			status: "PENDING",
		},
		{
			...template(
				"1000000000000007",
				"old_notice",
				"en_US",
				"UTILITY",
				"Dear {{1}}",
			),
			status: "PAUSED",
		},
	];
}

function template(
	id: string,
	name: string,
	language: string,
	category: string,
	text: string,
): MetaTemplate {
	return {
		...{ id, name, language, category },
		status: "APPROVED",
		parameter_format: "POSITIONAL",
		components: [{ type: "BODY", text }],
	};
}
