import type { Tx } from "@airtower/platform/database/database";
import type { SenderIdState } from "../../domain/sender-id-state.ts";
import { type SenderIdRow, senderIdColumns } from "./sender-ids.ts";

/** Others that request or decide wait until this transaction ends, also where the organization has none yet. */
export async function lockSenderIds(
	sql: Tx,
	organizationId: string,
): Promise<SenderIdRow[]> {
	await sql`
		select pg_advisory_xact_lock(hashtextextended('messaging.sender_ids ' || ${organizationId}, 0))
	`;
	return sql<SenderIdRow[]>`
		select ${senderIdColumns(sql)}
		from sender_ids
		where organization_id = ${organizationId}
		order by id
		for update
	`;
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
