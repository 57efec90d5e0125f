import type { Change } from "./callback-poster.ts";
import type { MetaTemplate } from "./meta-template.ts";

export function toTemplateStatusChange(template: MetaTemplate): Change {
	return {
		field: "message_template_status_update",
		value: { ...toNames(template), event: template.status, reason: "NONE" },
	};
}

export function toTemplateCategoryChange(
	template: MetaTemplate,
	previousCategory: string,
): Change {
	return {
		field: "template_category_update",
		value: {
			...toNames(template),
			previous_category: previousCategory,
			new_category: template.category,
		},
	};
}

function toNames({ id, name, language }: MetaTemplate) {
	return {
		message_template_id: Number(id),
		message_template_name: name,
		message_template_language: language,
	};
}
