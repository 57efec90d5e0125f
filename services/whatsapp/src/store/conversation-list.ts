import type { Queryable } from "@airtower/platform/database/database";
import { isAfter } from "@airtower/platform/database/page";
import type postgres from "postgres";
import type { ConversationStatus } from "../domain/conversation-window.ts";
import { dateRange, type ListRange, matches } from "./list-range.ts";

type Fragment = postgres.PendingQuery<postgres.Row[]>;

export interface ConversationRow {
	readonly id: string;
	readonly phoneNumberId: string;
	readonly recipient: string | null;
	readonly status: ConversationStatus;
	readonly windowOpenedAt: Date | null;
	readonly windowExpiresAt: Date | null;
	readonly createdAt: Date;
	readonly lastMessageAt: Date;
}

interface ConversationFilter {
	readonly status: string;
	readonly recipient: string;
}

export async function listConversations(
	sql: Queryable,
	organizationId: string,
	filter: ConversationFilter,
	range: ListRange,
	now: Date,
): Promise<ConversationRow[]> {
	const page = (which: Fragment) => sql`
		select
			id,
			phone_number_id as "phoneNumberId",
			recipient,
			case when window_expires_at > ${now} then 'open' else 'closed' end as status,
			window_opened_at as "windowOpenedAt",
			window_expires_at as "windowExpiresAt",
			created_at,
			last_message_at as "lastMessageAt"
		from conversations
		where organization_id = ${organizationId}
		${which}
		${matches(sql, "recipient", filter.recipient)}
		${dateRange(sql, range)}
		${isAfter(sql, range.after)}
		order by created_at desc, id desc
		limit ${range.limit}
	`;
	return sql<ConversationRow[]>`
		select *, created_at as "createdAt"
		from (${pages(sql, filter.status, now, page)}) as found
		order by created_at desc, id desc
		limit ${range.limit}
	`;
}

/** A window that closed a moment ago may still bear its mark: closed conversations are read from both sides. */
function pages(
	sql: Queryable,
	status: string,
	now: Date,
	page: (which: Fragment) => Fragment,
): Fragment {
	if (status === "open")
		return page(sql`and maybe_open and window_expires_at > ${now}`);
	if (status !== "closed") return page(sql``);
	return sql`
		(${page(sql`and not maybe_open`)})
		union all
		(${page(sql`and maybe_open and window_expires_at <= ${now}`)})
	`;
}
