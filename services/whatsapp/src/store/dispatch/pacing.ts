import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { RecipientKey } from "../conversations.ts";

/** With so many doublings the first pause has become the longest. */
const MOST_DOUBLINGS = 10;
const FIRST_PAUSE_S = 1;
const LONGEST_PAUSE_S = 600;

interface Responses {
	/** Numbers of which the provider took a message. */
	readonly taken: readonly string[];
	/** Numbers that it throttled. */
	readonly throttled: readonly string[];
}

/**
 * Holds back all that waits on numbers that send too fast: for 1 s, doubling to 10 min as long as the provider takes
 * nothing of the number in between. What was sent before a pause tells nothing new in it.
 */
export async function pauseNumbers(
	sql: Tx,
	responses: Responses,
): Promise<void> {
	const taken = sql`phone_number_id = any(${[...responses.taken]}::uuid[])`;
	const throttled = sql`phone_number_id = any(${[...responses.throttled]}::uuid[])`;
	const doublings = sql`case when ${taken} then 0 else throttles end`;
	const pauseS = sql`least(${FIRST_PAUSE_S} * 2 ^ ${doublings}, ${LONGEST_PAUSE_S})`;
	await sql`
		update pacing
		set
			throttles = case when ${throttled} then least(${doublings} + 1, ${MOST_DOUBLINGS}) else 0 end,
			paused_until = case
				when ${throttled} then now() + ${pauseS} * interval '1 second'
				else paused_until
			end
		where phone_number_id = any(array(
			select phone_number_id
			from pacing
			where ${throttled} and paused_until <= now()
			or ${taken} and not ${throttled} and throttles > 0
			order by phone_number_id
			for update
		))
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
