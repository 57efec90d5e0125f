import { filterRange } from "../../../schemas/filters.ts";
import {
	filterAddress,
	inboundSms,
	inboundSmsQuery,
} from "../../../schemas/sms/inbound-sms.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listInboundSms: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/sms/inbound",
		scope: "sms:read",
		operationId: "listInboundSms",
		tag: "SMS",
		summary: "List texts that came in",
		description: [
			"What phones sent to the organization's numbers, newest first. Go on as long as there is a `nextCursor`: with",
			"filters a page may be short, even empty. The event `message.received` tells of each as it comes.",
		].join(" "),
		query: inboundSmsQuery,
		rows: { messages: inboundSms.array() },
		find: async (page, filters, caller) => {
			const found = await ctx.clients.inbound.listInbound({
				...page,
				from: filterAddress(filters.from, caller),
				to: filterAddress(filters.to, caller),
				keyword: filters.keyword ?? "",
				...filterRange(filters),
			});
			const messages = found.messages.map((message) =>
				toRecord(inboundSms, { ...message, text: message.body }),
			);
			return { messages, next: found.next };
		},
	});
};
