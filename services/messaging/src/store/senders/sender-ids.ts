import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { SenderIdState } from "../../domain/sender-id-state.ts";

export interface SenderIdRow {
	readonly id: string;
	readonly organizationId: string;
	readonly value: string;
	readonly status: SenderIdState;
	readonly isDefault: boolean;
	readonly rejectionReason: string | null;
	readonly createdAt: Date;
	readonly decidedAt: Date | null;
}

const senderColumns = (sql: Queryable) => sql`
	id,
	organization_id as "organizationId",
	value,
	status,
	is_default as "isDefault"
`;

export const senderIdColumns = (sql: Queryable) => sql`
	${senderColumns(sql)},
	rejection_reason as "rejectionReason",
	created_at as "createdAt",
	decided_at as "decidedAt"
`;

export async function findSenderIds(
	sql: Queryable,
	organizationId: string,
): Promise<SenderIdRow[]> {
	return sql<SenderIdRow[]>`
		select ${senderIdColumns(sql)}
		from sender_ids
		where organization_id = ${organizationId}
		order by created_at desc, id desc
	`;
}

interface PendingSenderIdRow extends SenderIdRow {
	/** Other organizations that have the value approved, whatever its case. */
	readonly approvedFor: readonly string[];
}

/** Most organizations that are named for one value. */
const MAX_NAMED = 10;

/** The sender IDs of all organizations that wait for a decision, the oldest first. */
export async function findPendingSenderIds(
	sql: Queryable,
	limit: number,
): Promise<PendingSenderIdRow[]> {
	return sql<PendingSenderIdRow[]>`
		select
			${senderIdColumns(sql)},
			array(
				select other.organization_id
				from sender_ids as other
				where lower(other.value) = lower(sender_ids.value)
				and other.status = 'approved'
				and other.organization_id <> sender_ids.organization_id
				order by other.decided_at
				limit ${MAX_NAMED}
			) as "approvedFor"
		from sender_ids
		where status = 'pending'
		order by created_at, id
		limit ${limit}
	`;
}

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
