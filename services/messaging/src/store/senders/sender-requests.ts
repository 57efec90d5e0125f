import type { Tx } from "@airtower/platform/database/database";
import { type SenderIdRow, senderIdColumns } from "./sender-ids.ts";

export async function insertRequest(
	sql: Tx,
	organizationId: string,
	request: { readonly id: string; readonly value: string },
): Promise<SenderIdRow | undefined> {
	const [row] = await sql<SenderIdRow[]>`
		insert into sender_ids (id, organization_id, value)
		values (${request.id}, ${organizationId}, ${request.value})
		returning ${senderIdColumns(sql)}
	`;
	return row;
}

/** Opens a rejected request again, in the spelling that is asked for now. */
export async function reopenRequest(
	sql: Tx,
	organizationId: string,
	{ id, value }: { readonly id: string; readonly value: string },
): Promise<SenderIdRow | undefined> {
	const [row] = await sql<SenderIdRow[]>`
		update sender_ids
		set
			value = ${value},
			status = 'pending',
			rejection_reason = null,
			decided_at = null
		where id = ${id}
		and organization_id = ${organizationId}
		and status = 'rejected'
		returning ${senderIdColumns(sql)}
	`;
	return row;
}
