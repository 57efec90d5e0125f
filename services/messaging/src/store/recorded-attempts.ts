import { BOOLEAN_ARRAY, type Tx } from "@airtower/platform/database/database";
import { type MessageState, statesBefore } from "../domain/message-state.ts";
import { idRange } from "./id-range.ts";

export interface RecordedAttempt {
	readonly id: string;
	readonly attempts: number;
	readonly possibleDuplicate: boolean;
	readonly status?: Extract<MessageState, "submitted" | "unknown">;
	/** Parts of the whole message, once the operator has all of them. */
	readonly partCount?: number;
	/** What the operator said to a submit that it refused. */
	readonly operatorError?: string;
}

/** Also on messages that have ended since; no state goes back. */
export async function recordAttempts(
	sql: Tx,
	attempts: readonly RecordedAttempt[],
): Promise<void> {
	if (attempts.length === 0) return;
	const { first, last } = idRange(attempts.map(({ id }) => id));
	const becomes = (next: "submitted" | "unknown") => sql`
		done.status = ${next}
		and messages.status in ${sql(statesBefore(next))}
	`;
	await sql`
		update messages
		set
			status = case
				when ${becomes("submitted")} or ${becomes("unknown")} then done.status
				else messages.status
			end,
			submitted_at = case
				when ${becomes("submitted")} then now()
				else submitted_at
			end,
			part_count = coalesce(done.part_count, messages.part_count),
			attempts = done.attempts,
			possible_duplicate = messages.possible_duplicate or done.possible_duplicate,
			operator_error = coalesce(done.operator_error, messages.operator_error)
		from unnest(
			${attempts.map((one) => one.id)}::uuid[],
			${attempts.map((one) => one.status ?? null)}::text[],
			${attempts.map((one) => one.attempts)}::integer[],
			${sql.array(
				attempts.map((one) => one.possibleDuplicate),
				BOOLEAN_ARRAY,
			)}::boolean[],
			${attempts.map((one) => one.partCount ?? null)}::smallint[],
			${attempts.map((one) => one.operatorError ?? null)}::text[]
		) as done (id, status, attempts, possible_duplicate, part_count, operator_error)
		where messages.id = done.id
		and messages.id between ${first} and ${last}
	`;
}
