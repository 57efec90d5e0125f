import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { TypedClient } from "./client.ts";

/** One row of the contract's endpoint table. */
export interface Row {
	/** As the OpenAPI document names it: "get /contacts". */
	readonly operation: string;
	readonly success: number;
	readonly scope: string;
	/** A request that succeeds, each time it is asked for. */
	request(owner: Owner): Promise<ApiRequest> | ApiRequest;
	/** Queries or bodies that are 400, with the field that is named. */
	readonly invalid: readonly Invalid[];
	/** The answer to an id that nobody has. */
	readonly unknown?: { readonly path: string; readonly code: string };
	/** A body that is 409 the second time. */
	readonly conflict?: () => Record<string, unknown>;
}

export interface ApiRequest {
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

interface Invalid {
	readonly query?: string;
	readonly body?: Readonly<Record<string, unknown>>;
	readonly field: string;
}

/** Who makes the requests. */
export interface Owner {
	readonly client: TypedClient;
	readonly senderId: string;
	readonly phoneNumberId: string;
}

const HOOK = {
	url: "http://127.0.0.1:9/hook",
	subscribed_events: ["message.delivered", "message.failed"] as const,
};

let serial = 0;

/** A number nobody else has. */
export function freshPhone(): string {
	return `+336${String(10_000_000 + ++serial)}`;
}

const contactBody = () => ({
	name: "Ada",
	phone: freshPhone(),
	email: "ada@example.com",
	tags: ["gold"],
});
const senderBody = () => ({ value: `S${++serial}x` });
const keyBody = () => ({ name: uuidv7() });

const template = {
	name: "order_update",
	language: "en_US",
	category: "utility",
	parameters: ["Ada", "1042"],
};

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
	list("/usage", "account:read"),
	list("/contacts", "contacts:read", [
		...pages,
		{ query: "tag=", field: "tag" },
	]),
	list("/campaigns", "campaigns:read"),
	list("/sender-ids", "sender_ids:read", noQuery),
	list("/api-keys", "api_keys:read"),
	list("/webhooks", "webhooks:read"),
];

const posts: readonly Row[] = [
	{
		operation: "post /sms/send",
		success: 202,
		scope: "sms:send",
		request: ({ senderId }) => ({
			path: "/sms/send",
			body: { to: "+33612345678", message: "hello", senderId },
		}),
		invalid: [
			{ body: { message: "hello" }, field: "to" },
			{ body: { to: "+33612345678" }, field: "message" },
			{ body: { to: "12", message: "hello" }, field: "to" },
			{
				body: { to: "+33612345678", message: "x".repeat(1_601) },
				field: "message",
			},
			{
				body: { to: "+33612345678", message: "hello", senderId: "x" },
				field: "senderId",
			},
		],
	},
	{
		operation: "post /whatsapp/messages",
		success: 202,
		scope: "whatsapp:send",
		request: ({ phoneNumberId }) => ({
			path: "/whatsapp/messages",
			body: { type: "template", to: "+33612345678", phoneNumberId, template },
		}),
		invalid: [
			{ body: { type: "image" }, field: "type" },
			{
				body: { type: "template", to: "+33612345678", template },
				field: "phoneNumberId",
			},
		],
	},
	{
		operation: "post /contacts",
		success: 200,
		scope: "contacts:write",
		request: () => ({ path: "/contacts", body: contactBody() }),
		invalid: [
			{ body: { phone: "+33612345678" }, field: "name" },
			{ body: { name: " ", phone: "+33612345678" }, field: "name" },
			{ body: { name: "Ada", phone: "12" }, field: "phone" },
			{
				body: { name: "Ada", phone: "+33612345678", email: "ada" },
				field: "email",
			},
			{
				body: { name: "Ada", phone: "+33612345678", tags: 5 },
				field: "tags",
			},
		],
		conflict: contactBody,
	},
	{
		operation: "post /campaigns",
		success: 201,
		scope: "campaigns:write",
		request: ({ senderId }) => ({
			path: "/campaigns",
			body: {
				name: "Spring",
				message_template: "Hello {{name|there}}",
				sender_id: senderId,
				audience_tags: ["gold"],
				audience_tag_match_mode: "all",
			},
		}),
		invalid: [
			{ body: { name: "Spring" }, field: "message_template" },
			{
				body: { name: " ", message_template: "Hello", audience_tags: ["gold"] },
				field: "name",
			},
			{
				body: {
					name: "Spring",
					message_template: "Hello {{first}}",
					audience_tags: ["gold"],
				},
				field: "message_template",
			},
			{
				body: {
					name: "Spring",
					message_template: "x".repeat(1_531),
					audience_tags: ["gold"],
				},
				field: "message_template",
			},
			{
				body: {
					name: "Spring",
					message_template: "Hello",
					audience_tags: ["gold"],
					scheduled_at: "2020-01-01T00:00:00Z",
				},
				field: "scheduled_at",
			},
			{
				body: {
					name: "Spring",
					message_template: "Hello",
					audience_tags: ["gold"],
					recipients: ["+33612345678"],
				},
				field: "recipients",
			},
		],
	},
	{
		operation: "post /sender-ids",
		success: 201,
		scope: "sender_ids:write",
		request: () => ({ path: "/sender-ids", body: senderBody() }),
		invalid: [{ body: { value: "a!" }, field: "value" }],
		conflict: senderBody,
	},
	{
		operation: "post /api-keys",
		success: 200,
		scope: "api_keys:write",
		request: () => ({ path: "/api-keys", body: keyBody() }),
		invalid: [
			{ body: { name: "" }, field: "name" },
			{ body: { name: " " }, field: "name" },
			{
				body: { name: "n", expires_at: "2020-01-01T00:00:00Z" },
				field: "expires_at",
			},
			{
				body: { name: "n", expires_at: "9999-12-31T23:59:59-01:00" },
				field: "expires_at",
			},
			{ body: { name: "n", scopes: ["all"] }, field: "scopes.0" },
		],
		conflict: keyBody,
	},
	{
		operation: "post /webhooks",
		success: 202,
		scope: "webhooks:write",
		request: async ({ client }) => {
			const { webhookEndpoints } = await client.get("/webhooks");
			for (const { id } of webhookEndpoints.slice(5))
				await client.delete("/webhooks/{webhookEndpointId}", { segment: id });
			return { path: "/webhooks", body: HOOK };
		},
		invalid: [
			{ body: { ...HOOK, url: "ftp://example.com" }, field: "url" },
			{ body: { ...HOOK, subscribed_events: [] }, field: "subscribed_events" },
		],
	},
];

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
	{
		operation: "delete /webhooks/{webhookEndpointId}",
		success: 200,
		scope: "webhooks:write",
		request: async ({ client }) => {
			const created = await client.post("/webhooks", {
				...HOOK,
				subscribed_events: [...HOOK.subscribed_events],
			});
			return { path: `/webhooks/${created.webhookEndpoint.id}` };
		},
		invalid: noQuery,
		unknown: {
			path: `/webhooks/${uuidv7()}`,
			code: "unknown_webhook_endpoint",
		},
	},
];

/** Every operation that needs a key. */
export const rows: readonly Row[] = [...lists, ...posts, ...deletes];
