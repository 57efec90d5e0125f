import type { AuditEntry } from "@airtower/proto/ops/v1/audit";
import { auditEntry } from "../../../schemas/audit.ts";
import { pageQuery } from "../../../schemas/pages.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listAccountAudit: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/account/audit",
		scope: "account:read",
		operationId: "listAccountAudit",
		tag: "Account",
		summary: "List what was done to the account",
		description:
			"Keys that were made or removed, and what the platform changed, newest first. Entries are never changed or deleted.",
		query: pageQuery,
		rows: { entries: auditEntry.array() },
		find: async (page) => {
			const found = await ctx.clients.account.listAccountAudit(page);
			return { entries: found.entries.map(toEntry), next: found.next };
		},
	});
};

/** Who of the platform acted, and from where, is the platform's own. */
function toEntry(entry: AuditEntry) {
	const isKey = entry.actorKind === "api_key";
	return toRecord(auditEntry, {
		...entry,
		actor: isKey
			? { type: "api_key", api_key_id: entry.actor }
			: { type: "platform", api_key_id: null },
		address: isKey ? entry.address : "",
		before: toFacts(entry.before),
		after: toFacts(entry.after),
	});
}

function toFacts(json: string): unknown {
	return json === "" ? null : JSON.parse(json);
}
