import manifest from "../../package.json" with { type: "json" };

export const toInfo = (description: string) => ({
	title: "Airtower API",
	version: manifest.version,
	summary: "SMS and WhatsApp through your own operators.",
	description,
	contact: { name: "The admins of this deployment" },
	license: { name: "Apache-2.0", identifier: "Apache-2.0" },
});

export const tags = [
	{ name: "SMS", description: "Sending messages, and how far they are." },
	{
		name: "WhatsApp",
		description: "Templates, replies inside the service window, conversations.",
	},
	{ name: "Account", description: "Commercial state, quota and its ledger." },
	{ name: "Reports", description: "Sums of what was done and used." },
	{ name: "Contacts", description: "Whom campaigns are sent to." },
	{ name: "Opt-outs", description: "Numbers that are sent no SMS." },
	{
		name: "Quiet hours",
		description: "When bulk messages and campaigns wait.",
	},
	{ name: "Campaigns", description: "One SMS to many recipients." },
	{ name: "Sender IDs", description: "Who messages come from." },
	{ name: "API keys", description: "Keys of the organization." },
	{
		name: "Webhooks",
		description: "Endpoints that receive the outcome of messages.",
	},
	{ name: "Requests", description: "What was asked of this API, and refused." },
	{
		name: "Service",
		description: "Version, health and documentation. No key needed.",
	},
] as const;

export const securitySchemes = {
	bearer: {
		type: "http",
		scheme: "bearer",
		description: "`Authorization: Bearer at_live_...`",
	},
	apiKey: {
		type: "apiKey",
		in: "header",
		name: "x-api-key",
		description: "In place of `Authorization`.",
	},
} as const;
