import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { MessageFailureReason } from "../domain/failure-reason.ts";
import {
	type DecidedMessage,
	type MessageState,
	statesBefore,
} from "../domain/message-state.ts";
import { idRange } from "./messages.ts";

export interface EndedMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly status: DecidedMessage["status"] | "canceled";
	readonly reason: MessageFailureReason | null;
	readonly finishedAt: Date;
	readonly senderValue: string;
	readonly segments: number;
	/** Parts in which the operator has it, or has said that it has; null where it is not known. */
	readonly partCount: number | null;
	readonly route: string;
	/** The one it was accepted for; null where it was not moved since. */
	readonly firstRoute: string | null;
	/** Null when no operator has taken it. */
	readonly submittedAt: Date | null;
	/** Null for a message that is not traced. */
	readonly traceparent: string | null;
}

/** One that an operator had, or should have had. */
export interface FinishedMessage extends EndedMessage {
	readonly status: DecidedMessage["status"];
}

const endedColumns = (sql: Tx) => sql`
	messages.id,
	organization_id as "organizationId",
	recipient,
	client_reference as "clientReference",
	campaign_id as "campaignId",
	messages.status,
	messages.reason,
	finished_at as "finishedAt",
	sender_value as "senderValue",
	messages.segments,
	messages.part_count as "partCount",
	messages.route,
	first_route as "firstRoute",
	submitted_at as "submittedAt",
	traceparent
`;

/** Ends messages; returns those that had not ended before, once each. */
export async function finishMessages(
	sql: Tx,
	ends: readonly DecidedMessage[],
): Promise<FinishedMessage[]> {
	if (ends.length === 0) return [];
	const { first, last } = idRange(ends.map(({ id }) => id));
	return sql<FinishedMessage[]>`
		update messages
		set
			status = given.status,
			reason = given.reason,
			receipt_error = given.receipt_error,
			finished_at = now()
		from ${unnest(sql, ends, {
			id: "uuid",
			status: "text",
			reason: "text",
			receiptError: "text",
		})}
		where messages.id = given.id
		and messages.id between ${first} and ${last}
		and messages.status in ${sql(statesBefore("failed"))}
		returning ${endedColumns(sql)}
	`;
}

/** Ends a message that no operator gets any more; undefined for one that is not waiting. */
export async function cancelMessage(
	sql: Tx,
	id: string,
): Promise<EndedMessage | undefined> {
	const [canceled] = await sql<EndedMessage[]>`
		update messages
		set status = 'canceled', finished_at = now()
		where id = ${id}
		and status in ${sql(statesBefore("canceled"))}
		returning ${endedColumns(sql)}
	`;
	return canceled;
}

/** In id order, so that receipts of several parts of one message wait for each other. */
export async function lockMessages(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	if (ids.length === 0) return;
	const { first, last } = idRange(ids);
	await sql`
		select
		from messages
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
		order by id
		for update
	`;
}

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
