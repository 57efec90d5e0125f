import type { Tx } from "@airtower/platform/database/database";
import type { CallbackItem } from "../domain/callback-item.ts";
import type { Outcome } from "../record-progress.ts";
import { applyInbound } from "./apply-inbound.ts";
import { applyStatuses } from "./apply-statuses.ts";
import { applyTemplates } from "./apply-templates.ts";

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
