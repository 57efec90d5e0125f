import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { SenderIdState } from "../domain/sender-id-state.ts";

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

export interface WantedSenders {
	/** Organizations whose default is wanted. */
	readonly defaultsOf: readonly string[];
	readonly byId: readonly {
		readonly organizationId: string;
		readonly id: string;
	}[];
	readonly byValue: readonly {
		readonly organizationId: string;
		readonly value: string;
	}[];
}

export interface SenderRow
	extends Pick<
		SenderIdRow,
		"id" | "organizationId" | "value" | "status" | "isDefault"
	> {
	readonly lookedUpAt: Date;
}

const senderColumns = (sql: Queryable) => sql`
	id,
	organization_id as "organizationId",
	value,
	status,
	is_default as "isDefault"
`;

const columns = (sql: Queryable) => sql`
	${senderColumns(sql)},
	rejection_reason as "rejectionReason",
	created_at as "createdAt",
	decided_at as "decidedAt"
`;

/** Finds every sender that the messages of a batch name, each within its own organization. */
export async function findSenders(
	sql: Queryable,
	{ byId, byValue, defaultsOf }: WantedSenders,
): Promise<SenderRow[]> {
	const senders = sql`
		select ${senderColumns(sql)}, now() as "lookedUpAt"
		from sender_ids
	`;
	return sql<SenderRow[]>`
		${senders}
		where (organization_id, id) in (
			select *
			from unnest(
				${byId.map((one) => one.organizationId)}::uuid[],
				${byId.map((one) => one.id)}::uuid[]
			)
		)
		union
		${senders}
		where (organization_id, value) in (
			select *
			from unnest(
				${byValue.map((one) => one.organizationId)}::uuid[],
				${byValue.map((one) => one.value)}::text[]
			)
		)
		union
		${senders}
		where organization_id = any(${[...defaultsOf]}::uuid[])
		and is_default
	`;
}

export async function findSenderIds(
	sql: Queryable,
	organizationId: string,
): Promise<SenderIdRow[]> {
	return sql<SenderIdRow[]>`
		select ${columns(sql)}
		from sender_ids
		where organization_id = ${organizationId}
		order by created_at desc, id desc
	`;
}

/** Those of all organizations that wait for a decision, longest known first. */
export async function findPendingSenderIds(
	sql: Queryable,
	limit: number,
): Promise<SenderIdRow[]> {
	return sql<SenderIdRow[]>`
		select ${columns(sql)}
		from sender_ids
		where status = 'pending'
		order by created_at, id
		limit ${limit}
	`;
}

export async function lockSenderIds(
	sql: Tx,
	organizationId: string,
): Promise<SenderIdRow[]> {
	return sql<SenderIdRow[]>`
		select ${columns(sql)}
		from sender_ids
		where organization_id = ${organizationId}
		order by id
		for update
	`;
}

/** Stores a request, or opens a rejected one again; undefined when the value is pending, approved or suspended. */
export async function upsertRequest(
	sql: Tx,
	organizationId: string,
	request: { readonly id: string; readonly value: string },
): Promise<SenderIdRow | undefined> {
	const [row] = await sql<SenderIdRow[]>`
		insert into sender_ids (id, organization_id, value)
		values (${request.id}, ${organizationId}, ${request.value})
		on conflict (organization_id, value) do update
		set
			status = 'pending',
			rejection_reason = null,
			decided_at = null
		where sender_ids.status = 'rejected'
		returning ${columns(sql)}
	`;
	return row;
}

export async function updateDecision(
	sql: Tx,
	organizationId: string,
	decision: {
		readonly id: string;
		readonly status: SenderIdState;
		readonly reason: string | null;
	},
): Promise<void> {
	await sql`
		update sender_ids
		set
			status = ${decision.status},
			rejection_reason = ${decision.reason},
			decided_at = now()
		where organization_id = ${organizationId}
		and id = ${decision.id}
	`;
}

/** Makes a sender the default unless the organization has an approved default already. */
export async function claimDefault(
	sql: Tx,
	organizationId: string,
	id: string,
): Promise<void> {
	await sql`
		update sender_ids
		set is_default = false
		where organization_id = ${organizationId}
		and is_default
		and status <> 'approved'
		and id <> ${id}
	`;
	await sql`
		update sender_ids
		set is_default = true
		where organization_id = ${organizationId}
		and id = ${id}
		and not exists (
			select
			from sender_ids
			where organization_id = ${organizationId}
			and is_default
		)
	`;
}
