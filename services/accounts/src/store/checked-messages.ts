import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { Channel } from "./ledger-entries.ts";

/** The last stored message that was looked at for its debit. */
export async function findCheckedMessage(
	sql: Queryable,
	channel: Channel,
): Promise<string> {
	const [row] = await sql<{ messageId: string }[]>`
		select checked_message_id as "messageId"
		from reconciler_watermarks
		where channel = ${channel}
	`;
	if (row === undefined) throw new Error(`No watermark for ${channel}.`);
	return row.messageId;
}

/** Returns false when another process has moved it meanwhile. */
export async function moveCheckedMessage(
	sql: Tx,
	channel: Channel,
	from: string,
	to: string,
): Promise<boolean> {
	const moved = await sql`
		update reconciler_watermarks
		set checked_message_id = ${to}
		where channel = ${channel}
		and checked_message_id = ${from}
	`;
	return moved.count === 1;
}
