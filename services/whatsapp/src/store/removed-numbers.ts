import type { Tx } from "@airtower/platform/database/database";

/** Its row stays for its messages and conversations, without the token; returns whether there was one. */
export async function removeNumber(
	sql: Tx,
	organizationId: string,
	id: string,
): Promise<boolean> {
	const removed = await sql`
		update phone_numbers
		set
			status = 'removed',
			stopped_reason = null,
			access_token = ''
		where organization_id = ${organizationId}
		and id = ${id}
		and status <> 'removed'
	`;
	return removed.count === 1;
}

/** What waits to be sent from a number is over its validity now. */
export async function expireWaiting(
	sql: Tx,
	phoneNumberId: string,
): Promise<void> {
	await sql`
		update dispatch
		set expires_at = now()
		where phone_number_id = ${phoneNumberId}
		and token is null
		and expires_at > now()
	`;
}
