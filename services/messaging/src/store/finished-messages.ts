import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { MessageFailureReason } from "../domain/failure-reason.ts";
import type { DecidedMessage } from "../domain/message-end.ts";
import { statesBefore } from "../domain/message-state.ts";
import { idRange } from "./id-range.ts";

export interface FinishedMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly status: "delivered" | "failed";
	readonly reason: MessageFailureReason | null;
	readonly finishedAt: Date;
	readonly route: string;
	/** Null when no operator has taken it. */
	readonly submittedAt: Date | null;
	/** Null for a message that is not traced. */
	readonly traceparent: string | null;
}

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
		returning
			messages.id,
			organization_id as "organizationId",
			recipient,
			client_reference as "clientReference",
			campaign_id as "campaignId",
			messages.status,
			messages.reason,
			finished_at as "finishedAt",
			messages.route,
			submitted_at as "submittedAt",
			traceparent
	`;
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
