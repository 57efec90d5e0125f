import { filterRecipient } from "../../../schemas/filters.ts";
import { optOut, optOutsQuery } from "../../../schemas/opt-outs.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listOptOuts: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/opt-outs",
		scope: "contacts:read",
		operationId: "listOptOuts",
		tag: "Opt-outs",
		summary: "List opt-outs",
		description:
			"Newest first. With `recipient` also entries whose number was erased are found.",
		query: optOutsQuery,
		rows: { optOuts: optOut.array() },
		find: async (page, { recipient }, caller) => {
			const found = await ctx.clients.optOuts.listOptOuts({
				...page,
				recipient: filterRecipient(recipient, caller),
			});
			const optOuts = found.optOuts.map((one) => toRecord(optOut, one));
			return { optOuts, next: found.next };
		},
	});
};
