import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	campaignBody,
	contactBody,
	keyBody,
	optOutBody,
	optOutListBody,
	senderBody,
} from "./bodies.ts";
import type { Invalid, Row } from "./row.ts";

const template = {
	name: "order_update",
	language: "en_US",
	category: "utility",
	parameters: ["Ada", "1042"],
};

const campaignChanges = ["pause", "resume", "cancel"].map(
	(change): Row => ({
		operation: `post /campaigns/{campaignId}/${change}`,
		success: 200,
		scope: "campaigns:write",
		request: async ({ client }) => {
			const { campaign } = await client.post("/campaigns", campaignBody());
			return { path: `/campaigns/${campaign.id}/${change}` };
		},
		invalid: [
			{ query: "x=1", field: "x" },
			{ body: { x: 1 }, field: "x" },
		],
		unknown: {
			path: `/campaigns/${uuidv7()}/${change}`,
			code: "unknown_campaign",
		},
	}),
);

const springCampaign = (senderId: string) => ({
	name: "Spring",
	message_template: "Hello {{name|there}}",
	sender_id: senderId,
	audience_tags: ["gold"],
	audience_tag_match_mode: "all",
});

const formlessCampaigns: readonly Invalid[] = [
	{ body: { name: "Spring" }, field: "message_template" },
	{
		body: {
			name: "Spring",
			message_template: "Hello",
			audience_tags: ["gold"],
			recipients: ["+33612345678"],
		},
		field: "recipients",
	},
];

/** Every POST that needs a key. */
export const postRows: readonly Row[] = [
	...campaignChanges,
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
			...["tomorrow", "2020-01-01T00:00:00Z", "9999-01-01T00:00:00Z"].map(
				(send_at) => ({
					body: { to: "+33612345678", message: "hello", send_at },
					field: "send_at",
				}),
			),
		],
	},
	{
		operation: "post /sms/preview",
		success: 200,
		scope: "sms:send",
		takesNoKey: true,
		request: ({ senderId }) => ({
			path: "/sms/preview",
			body: { to: "+33612345678", message: "hello", senderId },
		}),
		invalid: [
			{ body: { message: "hello" }, field: "to" },
			{ body: { to: "+33612345678" }, field: "message" },
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
		operation: "post /opt-outs",
		success: 200,
		scope: "contacts:write",
		request: () => ({ path: "/opt-outs", body: optOutBody() }),
		invalid: [
			{ body: { sender: "ACME" }, field: "recipient" },
			{ body: { recipient: "12" }, field: "recipient" },
			{ body: { recipient: "+33612345699", sender: "a!" }, field: "sender" },
		],
	},
	{
		operation: "post /opt-outs/import",
		success: 200,
		scope: "contacts:write",
		request: () => ({ path: "/opt-outs/import", body: optOutListBody() }),
		invalid: [
			{ body: {}, field: "csv" },
			{ body: { csv: "recipient\r\n" }, field: "csv" },
			{ body: { csv: "number\n+33612345699" }, field: "csv.1" },
			{
				body: { csv: "recipient\n+33612345699\n12" },
				field: "csv.3.recipient",
			},
			{
				body: { csv: "sender,recipient\na!,+33612345699" },
				field: "csv.2.sender",
			},
		],
	},
	{
		operation: "post /campaigns",
		success: 201,
		scope: "campaigns:write",
		request: ({ senderId }) => ({
			path: "/campaigns",
			body: springCampaign(senderId),
		}),
		invalid: [
			...formlessCampaigns,
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
		],
	},
	{
		operation: "post /campaigns/preview",
		success: 200,
		scope: "campaigns:write",
		takesNoKey: true,
		request: ({ senderId }) => ({
			path: "/campaigns/preview",
			body: springCampaign(senderId),
		}),
		invalid: formlessCampaigns,
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
];
