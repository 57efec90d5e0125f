import { PageKeySchema } from "@airtower/proto/common/v1/page";
import type { AuditEntry } from "@airtower/proto/ops/v1/audit";
import { create } from "@bufbuild/protobuf";
import { mergePages } from "../../../domain/merge-pages.ts";
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
			"Keys that were made or removed, quiet hours, and what the platform changed in any part of the service, newest first. " +
			"Entries are never changed or deleted.",
		query: pageQuery,
		rows: { entries: auditEntry.array() },
		find: async (asked) => {
			const pages = await Promise.all(
				ctx.clients.audits.map(async (service) => {
					const { entries, next } = await service.listOrganizationAudit(asked);
					return { rows: entries, next };
				}),
			);
			const { rows, next } = mergePages(pages, asked.page.limit);
			return { entries: rows.map(toEntry), next: next && toPageKey(next) };
		},
	});
};

function toPageKey({ createdAt, id }: AuditEntry) {
	return create(PageKeySchema, { ...(createdAt && { createdAt }), id });
}

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
