import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { RecipientKey } from "../conversations.ts";

export async function pauseRecipients(
	sql: Tx,
	paused: readonly (RecipientKey & { readonly delayMs: number })[],
): Promise<void> {
	if (paused.length === 0) return;
	await sql`
		update dispatch
		set due_at = greatest(
			due_at,
			now() + waiting.delay_ms * interval '1 millisecond'
		)
		from (
			select message_id, delay_ms
			from ${unnest(sql, paused, {
				phoneNumberId: "uuid",
				recipient: "text",
				delayMs: "float8",
			})}
			cross join lateral (
				select message_id, phone_number_id
				from dispatch
				where recipient = given.recipient
				offset 0
			) as own
			where own.phone_number_id = given.phone_number_id
		) as waiting
		where dispatch.message_id = waiting.message_id
		and token is null
	`;
}
