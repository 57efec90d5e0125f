import { filterRange, filterRecipient } from "../../../schemas/filters.ts";
import {
	smsMessage,
	smsMessagesQuery,
} from "../../../schemas/sms/sms-messages.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { smsToRecord } from "./sms-to-record.ts";

export const listSmsMessages: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/sms/messages",
		scope: "sms:read",
		operationId: "listSmsMessages",
		tag: "SMS",
		summary: "List SMS",
		description: [
			"Newest first, those of campaigns too, without their texts. Go on as long as there is a `nextCursor`: with",
			"filters a page may be short, even empty.",
		].join(" "),
		query: smsMessagesQuery,
		rows: { messages: smsMessage.array() },
		find: async (page, filters, caller) => {
			const found = await ctx.clients.messaging.listSentMessages({
				...page,
				status: filters.status ?? "",
				recipient: filterRecipient(filters.recipient, caller),
				campaignId: filters.campaign_id ?? "",
				clientReference: filters.client_reference ?? "",
				...filterRange(filters),
			});
			return { messages: found.messages.map(smsToRecord), next: found.next };
		},
	});
};
