import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { RecipientKey } from "../conversations.ts";

/** Holds back all that waits on numbers that send too fast. */
export async function pauseNumbers(
	sql: Tx,
	paused: readonly { phoneNumberId: string; delayMs: number }[],
): Promise<void> {
	if (paused.length === 0) return;
	await sql`
		update pacing
		set paused_until = greatest(
			paused_until,
			now() + longest.delay_ms * interval '1 millisecond'
		)
		from (
			select phone_number_id, max(delay_ms) as delay_ms
			from ${unnest(sql, paused, { phoneNumberId: "uuid", delayMs: "float8" })}
			group by phone_number_id
		) as longest
		where pacing.phone_number_id = longest.phone_number_id
	`;
}

/** For a clock that has stepped back by so much, ms. */
export async function movePacingBack(sql: Tx, stepMs: number): Promise<void> {
	const step = sql`${stepMs} * interval '1 millisecond'`;
	await sql`
		update pacing
		set
			free_at = free_at - ${step},
			paused_until = paused_until - ${step}
		where greatest(free_at, paused_until) > now()
	`;
}

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
