import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { type SenderIdRow, senderColumns } from "./sender-ids.ts";

/** By its id, else by its value, else the organization's default. */
export interface WantedSender {
	readonly organizationId: string;
	readonly id?: string;
	readonly value?: string;
}

export interface SenderRow
	extends Pick<
		SenderIdRow,
		"id" | "organizationId" | "value" | "status" | "isDefault"
	> {
	readonly lookedUpAt: Date;
}

/** Finds every sender that the messages of a batch name, each within its own organization. */
export async function findSenders(
	sql: Queryable,
	wanted: readonly WantedSender[],
): Promise<SenderRow[]> {
	const byId = wanted.filter(({ id }) => id);
	const byValue = wanted.filter(({ id, value }) => !id && value);
	const defaults = wanted.filter(({ id, value }) => !id && !value);
	const senders = sql`
		select ${senderColumns(sql)}, now() as "lookedUpAt"
		from sender_ids
	`;
	return sql<SenderRow[]>`
		${senders}
		where (organization_id, id) in (
			select *
			from ${unnest(sql, byId, { organizationId: "uuid", id: "uuid" })}
		)
		union
		${senders}
		where (organization_id, value) in (
			select *
			from ${unnest(sql, byValue, { organizationId: "uuid", value: "text" })}
		)
		union
		${senders}
		where organization_id = any(${defaults.map((one) => one.organizationId)}::uuid[])
		and is_default
	`;
}
