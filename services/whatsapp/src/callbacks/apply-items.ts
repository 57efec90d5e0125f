import type { Tx } from "@airtower/platform/database/database";
import type { CallbackItem, TemplateItem } from "../domain/callback-item.ts";
import type { Outcome } from "../record-progress.ts";
import { makeAccountDue } from "../store/accounts.ts";
import { applyTemplateItem } from "../store/template-changes.ts";
import { applyInbound } from "./apply-inbound.ts";
import { applyStatuses } from "./apply-statuses.ts";

export interface Applied {
	readonly outcomes: readonly Outcome[];
	readonly unmatched: readonly CallbackItem[];
}

/** Applies what callbacks say; each item may come in any order and more than once. */
export async function applyItems(
	sql: Tx,
	items: readonly CallbackItem[],
): Promise<Applied> {
	const statuses = items.filter((item) => item.kind === "status");
	const inbound = items.filter((item) => item.kind === "inbound");
	const templates = items.filter((item) => item.kind === "template");
	const { outcomes, unmatched } = await applyStatuses(sql, statuses);
	const unmatchedInbound = await applyInbound(sql, inbound);
	await applyTemplates(sql, templates);
	return { outcomes, unmatched: [...unmatched, ...unmatchedInbound] };
}

/** Applies what the provider says of templates; of one that is not known, the whole account is read anew. */
async function applyTemplates(
	sql: Tx,
	items: readonly TemplateItem[],
): Promise<void> {
	for (const item of items)
		if ((await applyTemplateItem(sql, item)) === 0)
			await makeAccountDue(sql, item.providerAccountId);
}
