import type { Tx } from "@airtower/platform/database/database";
import { type SenderIdRow, senderIdColumns } from "./sender-ids.ts";

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
		returning ${senderIdColumns(sql)}
	`;
	return row;
}
