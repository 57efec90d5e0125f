import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
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
		given.status = ${next}
		and messages.status in ${sql(statesBefore(next))}
	`;
	await sql`
		update messages
		set
			status = case
				when ${becomes("submitted")} or ${becomes("unknown")} then given.status
				else messages.status
			end,
			submitted_at = case
				when ${becomes("submitted")} then now()
				else submitted_at
			end,
			part_count = coalesce(given.part_count, messages.part_count),
			attempts = given.attempts,
			possible_duplicate = messages.possible_duplicate or given.possible_duplicate,
			operator_error = coalesce(given.operator_error, messages.operator_error)
		from ${unnest(sql, attempts, {
			id: "uuid",
			status: "text",
			attempts: "integer",
			possibleDuplicate: "boolean",
			partCount: "smallint",
			operatorError: "text",
		})}
		where messages.id = given.id
		and messages.id between ${first} and ${last}
	`;
}
