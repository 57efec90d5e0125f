import { usageEntry } from "../../../schemas/account.ts";
import { pageQuery } from "../../../schemas/pages.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listUsage: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/usage",
		scope: "account:read",
		operationId: "listUsage",
		tag: "Account",
		summary: "List the usage ledger",
		description: "Newest first. The sum of all entries is the balance, always.",
		query: pageQuery,
		rows: { entries: usageEntry.array() },
		find: async (page) => {
			const found = await ctx.clients.account.listLedgerEntries(page);
			const entries = found.entries.map((one) => toRecord(usageEntry, one));
			return { entries, next: found.next };
		},
	});
};
