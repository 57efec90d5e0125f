import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	campaignBody,
	contactBody,
	freshPhone,
	keyBody,
	optOutBody,
} from "./bodies.ts";
import { postRows } from "./post-rows.ts";
import type { Invalid, Row } from "./row.ts";
import { webhookRows } from "./webhook-rows.ts";

const pages: readonly Invalid[] = [
	{ query: "limit=0", field: "limit" },
	{ query: "limit=201", field: "limit" },
	{ query: "limti=1", field: "limti" },
];
const noQuery: readonly Invalid[] = [{ query: "x=1", field: "x" }];
const dates: readonly Invalid[] = [
	{ query: "date_from=yesterday", field: "date_from" },
	{ query: "date_from=0000-01-01", field: "date_from" },
	{ query: "date_to=2026-02-30", field: "date_to" },
];

function list(path: string, scope: string, invalid = pages): Row {
	return {
		operation: `get ${path}`,
		success: 200,
		scope,
		request: () => ({ path }),
		invalid,
	};
}

const lists: readonly Row[] = [
	list("/sms/messages", "sms:read", [
		...pages,
		...dates,
		{ query: "status=lost", field: "status" },
		{ query: "recipient=x", field: "recipient" },
		{ query: "campaign_id=x", field: "campaign_id" },
	]),
	list("/sms/inbound", "sms:read", [
		...pages,
		...dates,
		{ query: "from=", field: "from" },
		{ query: "to=", field: "to" },
		{ query: "keyword=", field: "keyword" },
	]),
	list("/whatsapp/messages", "whatsapp:read", [
		...pages,
		...dates,
		{ query: "status=lost", field: "status" },
		{ query: "billing_category=free", field: "billing_category" },
		{ query: "recipient=x", field: "recipient" },
	]),
	list("/whatsapp/templates", "whatsapp:read", [
		...pages,
		...dates,
		{ query: "status=lost", field: "status" },
		{ query: "category=free", field: "category" },
	]),
	list("/whatsapp/conversations", "whatsapp:read", [
		...pages,
		...dates,
		{ query: "status=ajar", field: "status" },
		{ query: "recipient=x", field: "recipient" },
	]),
	list("/account", "account:read", noQuery),
	list("/account/audit", "account:read"),
	list("/usage", "account:read"),
	list("/reports/usage", "account:read", [
		...dates,
		{ query: "group_by=hour", field: "group_by" },
		{ query: "format=xml", field: "format" },
	]),
	list("/reports/delivery", "account:read", [
		...dates,
		{ query: "group_by=week", field: "group_by" },
		{ query: "channel=fax", field: "channel" },
		{ query: "format=xml", field: "format" },
	]),
	list("/contacts", "contacts:read", [
		...pages,
		{ query: "tag=", field: "tag" },
	]),
	list("/opt-outs", "contacts:read", [
		...pages,
		{ query: "recipient=x", field: "recipient" },
	]),
	{ ...list("/opt-outs/export", "contacts:read", noQuery), isCsv: true },
	list("/quiet-hours", "campaigns:read", noQuery),
	list("/campaigns", "campaigns:read"),
	list("/sender-ids", "sender_ids:read", noQuery),
	list("/api-keys", "api_keys:read"),
	list("/webhooks", "webhooks:read"),
	list("/requests", "requests:read", [
		...pages,
		...dates,
		{ query: "status=6xx", field: "status" },
		{ query: "method=get", field: "method" },
		{ query: "api_key_id=x", field: "api_key_id" },
	]),
];

const shown: readonly Row[] = [
	{
		operation: "get /sms/messages/{messageId}",
		success: 200,
		scope: "sms:read",
		request: async ({ client, senderId }) => {
			const body = { to: freshPhone(), message: "hello", senderId };
			const { provider } = await client.post("/sms/send", body);
			return { path: `/sms/messages/${provider.messageId}` };
		},
		invalid: noQuery,
		unknown: { path: `/sms/messages/${uuidv7()}`, code: "unknown_message" },
	},
	ofCampaign("", noQuery),
	ofCampaign("/recipients", [
		...pages,
		{ query: "status=lost", field: "status" },
	]),
];

/** What is read of one campaign. */
function ofCampaign(end: string, invalid: readonly Invalid[]): Row {
	return {
		operation: `get /campaigns/{campaignId}${end}`,
		success: 200,
		scope: "campaigns:read",
		request: async ({ client }) => {
			const { campaign } = await client.post("/campaigns", campaignBody());
			return { path: `/campaigns/${campaign.id}${end}` };
		},
		invalid,
		unknown: {
			path: `/campaigns/${uuidv7()}${end}`,
			code: "unknown_campaign",
		},
	};
}

const deletes: readonly Row[] = [
	{
		operation: "delete /contacts",
		success: 200,
		scope: "contacts:write",
		request: async ({ client }) => {
			const { contact } = await client.post("/contacts", contactBody());
			return { path: `/contacts?id=${contact.id}` };
		},
		invalid: [
			{ field: "id" },
			{ query: "id=x", field: "id" },
			{ query: "id=1&x=1", field: "x" },
		],
		unknown: { path: "/contacts?id=999999999", code: "unknown_contact" },
	},
	{
		operation: "delete /sms/messages/{messageId}",
		success: 200,
		scope: "sms:send",
		request: async ({ client, senderId }) => {
			const body = { to: freshPhone(), message: "hello", senderId };
			const send_at = new Date(Date.now() + 3_600_000).toISOString();
			const { provider } = await client.post("/sms/send", { ...body, send_at });
			return { path: `/sms/messages/${provider.messageId}` };
		},
		invalid: noQuery,
		unknown: { path: `/sms/messages/${uuidv7()}`, code: "unknown_message" },
		isRepeatable: true,
	},
	{
		operation: "delete /opt-outs/{optOutId}",
		success: 200,
		scope: "contacts:write",
		request: async ({ client }) => {
			const { optOut } = await client.post("/opt-outs", optOutBody());
			return { path: `/opt-outs/${optOut.id}` };
		},
		invalid: noQuery,
		unknown: { path: `/opt-outs/${uuidv7()}`, code: "unknown_opt_out" },
	},
	{
		operation: "delete /api-keys/{apiKeyId}",
		success: 200,
		scope: "api_keys:write",
		request: async ({ client }) => {
			const { apiKey } = await client.post("/api-keys", keyBody());
			return { path: `/api-keys/${apiKey.id}` };
		},
		invalid: noQuery,
		unknown: { path: `/api-keys/${uuidv7()}`, code: "unknown_api_key" },
	},
];

const QUIET_HOURS = { start: "21:00", end: "08:00" };

const quietHours: readonly Row[] = [
	{
		operation: "put /quiet-hours",
		success: 200,
		scope: "campaigns:write",
		request: () => ({ path: "/quiet-hours", body: QUIET_HOURS }),
		invalid: [
			{ body: { start: "21:00" }, field: "end" },
			{ body: { ...QUIET_HOURS, start: "24:00" }, field: "start" },
			{ body: { ...QUIET_HOURS, end: "8:00" }, field: "end" },
			{ body: { ...QUIET_HOURS, end: "20:01" }, field: "end" },
		],
	},
	{
		operation: "delete /quiet-hours",
		success: 200,
		scope: "campaigns:write",
		request: () => ({ path: "/quiet-hours" }),
		invalid: noQuery,
		isRepeatable: true,
	},
];

/** Every operation that needs a key. */
export const rows: readonly Row[] = [
	...lists,
	...shown,
	...postRows,
	...webhookRows,
	...deletes,
	...quietHours,
];
