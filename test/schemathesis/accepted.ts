import type { Finding } from "./findings.ts";

/** A finding that is no fault. */
interface Accepted {
	readonly check: string;
	readonly code: string;
	readonly operations: readonly string[];
	readonly reason: string;
}

/** What each of these refuses cannot be said in JSON Schema. */
const check = "positive_data_acceptance";

const accepted: readonly Accepted[] = [
	{
		check,
		code: "invalid_cursor",
		operations: [
			"GET /account/audit",
			"GET /api-keys",
			"GET /contacts",
			"GET /opt-outs",
			"GET /usage",
			"GET /requests",
			"GET /campaigns",
			"GET /campaigns/{campaignId}/recipients",
			"GET /sms/inbound",
			"GET /sms/messages",
			"GET /webhooks",
			"GET /webhooks/{webhookEndpointId}/deliveries",
			"GET /whatsapp/conversations",
			"GET /whatsapp/messages",
			"GET /whatsapp/templates",
		],
		reason: "a cursor is made by the page before and signed; no other is one",
	},
	{
		check,
		code: "invalid_phone_number",
		operations: [
			"POST /contacts",
			"POST /opt-outs",
			"POST /opt-outs/import",
			"POST /sms/send",
			"POST /whatsapp/messages",
			"GET /opt-outs",
			"GET /sms/messages",
			"GET /whatsapp/conversations",
			"GET /whatsapp/messages",
		],
		reason: "which numbers there are is told by the countries' numbering plans",
	},
	{
		check: "negative_data_rejection",
		code: "body_too_large",
		operations: ["POST /contacts"],
		reason: "413 refuses it too; the tool knows only 400 and its like",
	},
	...["invalid_phone_number", "invalid_characters", "message_too_long"].map(
		(code) => ({
			check: "negative_data_rejection",
			code,
			operations: ["POST /sms/preview"],
			reason: "a preview tells with 200 what the send would refuse",
		}),
	),
	{
		check: "negative_data_rejection",
		code: "audience_required",
		operations: ["POST /campaigns/preview"],
		reason: "a preview tells with 200 what the creation would refuse",
	},
	...[
		["allow_header_conformance", "204"],
		["unsupported_method", "unknown_campaign"],
		["unsupported_method", "unknown_opt_out"],
	].map(([check = "", code = ""]) => ({
		check,
		code,
		operations: [
			"POST /campaigns/preview",
			"POST /opt-outs/import",
			"GET /opt-outs/export",
		],
		reason: "other methods of these paths take their last part for an id",
	})),
	{
		check,
		code: "invalid_value",
		operations: [
			"GET /reports/delivery",
			"GET /reports/usage",
			"GET /requests",
			"GET /sms/inbound",
			"GET /sms/messages",
			"GET /whatsapp/conversations",
			"GET /whatsapp/messages",
			"GET /whatsapp/templates",
		],
		reason: "date_from is not after date_to",
	},
	{
		check,
		code: "report_too_large",
		operations: ["GET /reports/delivery"],
		reason: "date_to is more than 31 days after date_from",
	},
	{
		check,
		code: "invalid_tags",
		operations: ["POST /contacts"],
		reason: "tags are counted after they were trimmed and made distinct",
	},
	...["invalid_format", "invalid_sender_id", "too_short"].map((code) => ({
		check,
		code,
		operations: ["POST /opt-outs/import"],
		reason: "a text is a table, with the columns of this one, or is none",
	})),
	{
		check,
		code: "message_too_long",
		operations: ["POST /sms/send", "POST /campaigns"],
		reason: "the alphabet that a text needs decides how many parts it has",
	},
	{
		check,
		code: "invalid_template",
		operations: ["POST /campaigns"],
		reason: "the places of a template are read as a whole",
	},
	{
		check,
		code: "invalid_schedule",
		operations: ["POST /campaigns"],
		reason: "the future, within a year, moves with the clock",
	},
	{
		check,
		code: "invalid_send_at",
		operations: ["POST /sms/send"],
		reason: "the future, within 30 days, moves with the clock",
	},
	{
		check,
		code: "invalid_quiet_hours",
		operations: ["PUT /quiet-hours"],
		reason: "how much stays open is told by both times together",
	},
	{
		check,
		code: "invalid_expiry",
		operations: ["POST /api-keys"],
		reason:
			"the future, until the end of the calling key, moves with the clock",
	},
	{
		check,
		code: "invalid_webhook_url",
		operations: ["POST /webhooks", "PATCH /webhooks/{webhookEndpointId}"],
		reason: "what a host's name may be is told by the URL Standard",
	},
	{
		check,
		code: "unknown_phone_number",
		operations: ["POST /whatsapp/messages"],
		reason: "a number of the organization's own",
	},
	{
		check,
		code: "unknown_sender",
		operations: ["POST /sms/send", "POST /campaigns"],
		reason: "a sender ID of the organization's own",
	},
	...[
		"template_not_found",
		"template_not_sendable",
		"template_category_mismatch",
		"template_parameters_mismatch",
	].map((code) => ({
		check,
		code,
		operations: ["POST /whatsapp/messages"],
		reason: "a template of the organization's own, as it was approved",
	})),
];

export function isAccepted({ check, operation, codes }: Finding): boolean {
	return codes.every((code) =>
		accepted.some(
			(one) =>
				one.check === check &&
				one.code === code &&
				one.operations.includes(operation),
		),
	);
}
