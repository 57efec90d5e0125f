import type { Tx } from "@airtower/platform/database/database";
import type { TemplateItem } from "../domain/callback-item.ts";
import { makeAccountDue } from "../store/accounts.ts";
import { applyTemplateItem } from "../store/template-changes.ts";

/** Applies what the provider says of templates; of one that is not known, the whole account is read anew. */
export async function applyTemplates(
	sql: Tx,
	items: readonly TemplateItem[],
): Promise<void> {
	for (const item of items)
		if ((await applyTemplateItem(sql, item)) === 0)
			await makeAccountDue(sql, item.providerAccountId);
}
