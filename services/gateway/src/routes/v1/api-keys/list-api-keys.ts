import { apiKey } from "../../../schemas/api-keys.ts";
import { pageQuery } from "../../../schemas/pages.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listApiKeys: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/api-keys",
		scope: "api_keys:read",
		operationId: "listApiKeys",
		tag: "API keys",
		summary: "List API keys",
		description: "Newest first, masked. Revoked keys are not listed.",
		query: pageQuery,
		rows: { apiKeys: apiKey.array() },
		find: async (page) => {
			const found = await ctx.clients.account.listApiKeys(page);
			const apiKeys = found.apiKeys.map((one) => toRecord(apiKey, one));
			return { apiKeys, next: found.next };
		},
	});
};
