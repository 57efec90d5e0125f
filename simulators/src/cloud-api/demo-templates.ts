import type { MetaTemplate } from "./meta-template.ts";

const COPY_CODE = {
	type: "URL",
	text: "Copy code",
	url: "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}",
};

export const demoTemplates: readonly MetaTemplate[] = [
	template(1, "order_update", "Hi {{1}}, your order {{2}} is on its way."),
	template(
		2,
		"order_update",
		"Bonjour {{1}}, votre commande {{2}} est en route.",
		{ language: "fr" },
	),
	template(
		3,
		"appointment_reminder",
		"We look forward to seeing you tomorrow.",
	),
	template(4, "login_code", "*{{1}}* is your verification code.", {
		category: "AUTHENTICATION",
		components: [
			{ type: "BODY", text: "*{{1}}* is your verification code." },
			{ type: "BUTTONS", buttons: [COPY_CODE] },
		],
	}),
	template(5, "spring_sale", "{{1}}, everything at half price!", {
		category: "MARKETING",
	}),
	template(6, "parcel_survey", "How did we do, {{1}}?", { status: "PENDING" }),
	template(7, "old_notice", "Dear {{1}}", { status: "PAUSED" }),
];

function template(
	number: number,
	name: string,
	text: string,
	more: Partial<MetaTemplate> = {},
): MetaTemplate {
	return {
		id: `100000000000000${number}`,
		name,
		language: "en_US",
		category: "UTILITY",
		status: "APPROVED",
		parameter_format: "POSITIONAL",
		components: [{ type: "BODY", text }],
		...more,
	};
}
