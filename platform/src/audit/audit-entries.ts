import type { Queryable } from "../database/database.ts";
import { isAfter, type RowKey } from "../database/page.ts";
import { uuidv7 } from "../runtime/ids.ts";

/** What was true of the subject: no secrets, no texts of messages, no whole phone numbers. */
export type Facts = Readonly<
	Record<string, string | number | boolean | readonly string[] | null>
>;

interface NewAuditEntry {
	readonly organizationId: string | null;
	readonly actorKind: "admin" | "api_key" | "service";
	/** The name in the caller's token, or the key's identifier. */
	readonly actor: string;
	readonly address: string | null;
	readonly action: string;
	readonly subject: string | null;
	readonly before: Facts | null;
	readonly after: Facts | null;
}

export interface AuditEntryRow extends NewAuditEntry {
	readonly id: string;
	readonly createdAt: Date;
}

interface AuditPage {
	readonly limit: number;
	readonly after: RowKey | undefined;
}

export async function insertAuditEntry(
	sql: Queryable,
	entry: NewAuditEntry,
): Promise<void> {
	await sql`
		insert into audit_entries (
			id, organization_id, actor_kind, actor, address, action, subject, before, after
		)
		values (
			${uuidv7()},
			${entry.organizationId},
			${entry.actorKind},
			${entry.actor},
			${entry.address},
			${entry.action},
			${entry.subject},
			${entry.before === null ? null : sql.json(entry.before)},
			${entry.after === null ? null : sql.json(entry.after)}
		)
	`;
}

/** One row more than a page, newest first; of one organization when it is given. */
export async function listAuditEntries(
	sql: Queryable,
	organizationId: string | undefined,
	{ limit, after }: AuditPage,
): Promise<AuditEntryRow[]> {
	return sql<AuditEntryRow[]>`
		select
			id,
			created_at as "createdAt",
			organization_id as "organizationId",
			actor_kind as "actorKind",
			actor,
			address,
			action,
			subject,
			before,
			after
		from audit_entries
		where true
		${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
		${isAfter(sql, after)}
		order by created_at desc, id desc
		limit ${limit + 1}
	`;
}
