import {
	BOOLEAN_ARRAY,
	type Queryable,
	type Tx,
} from "@airtower/platform/database";
import { type MessageState, statesBefore } from "../domain/message-state.ts";
import type { DecidedMessage } from "../domain/receipt-effects.ts";
import type { MessageFailureReason } from "../operators/operator.ts";
import { idRange } from "./batch-plan.ts";

export interface NewMessage {
	readonly id: string;
	readonly organizationId: string;
	/** E.164 with "+". */
	readonly recipient: string;
	readonly body: string;
	readonly senderId: string;
	readonly senderValue: string;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly segments: number;
	readonly concatReference: number;
	readonly route: string;
}

/** What an operator needs to know of a message. */
export interface OutgoingRow {
	readonly id: string;
	readonly recipient: string;
	readonly body: string;
	readonly senderValue: string;
	readonly segments: number;
	readonly concatReference: number;
}

/** A message that has just reached its final state. */
export interface FinishedMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly status: "delivered" | "failed";
	readonly reason: MessageFailureReason | null;
	readonly finishedAt: Date;
}

export async function insertMessages(
	sql: Tx,
	messages: readonly NewMessage[],
): Promise<void> {
	await sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value,
			client_reference, campaign_id, segments, concat_reference, route
		)
		select *
		from unnest(
			${messages.map((message) => message.id)}::uuid[],
			${messages.map((message) => message.organizationId)}::uuid[],
			${messages.map((message) => message.recipient)}::text[],
			${messages.map((message) => message.body)}::text[],
			${messages.map((message) => message.senderId)}::uuid[],
			${messages.map((message) => message.senderValue)}::text[],
			${messages.map((message) => message.clientReference)}::text[],
			${messages.map((message) => message.campaignId)}::uuid[],
			${messages.map((message) => message.segments)}::smallint[],
			${messages.map((message) => message.concatReference)}::smallint[],
			${messages.map((message) => message.route)}::text[]
		)
	`;
}

/** The ids, of all organizations, that are not stored. */
export async function findMissingMessageIds(
	sql: Queryable,
	ids: readonly string[],
): Promise<string[]> {
	if (ids.length === 0) return [];
	const { first, last } = idRange(ids);
	const rows = await sql<{ id: string }[]>`
		select wanted.id
		from unnest(${[...ids]}::uuid[]) as wanted (id)
		left join lateral (
			select true as exists
			from messages
			where messages.id = wanted.id
			and messages.id between ${first} and ${last}
			limit 1
		) as stored on true
		where stored.exists is null
	`;
	return rows.map((row) => row.id);
}

/** What to send, of all organizations. */
export async function findOutgoing(
	sql: Queryable,
	ids: readonly string[],
): Promise<OutgoingRow[]> {
	const { first, last } = idRange(ids);
	return sql<OutgoingRow[]>`
		select
			id,
			recipient,
			body,
			sender_value as "senderValue",
			segments,
			concat_reference as "concatReference"
		from messages
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
	`;
}

/** Counts one more attempt. A message that was sent before without an answer is marked as a possible duplicate. */
export async function markSubmitting(
	sql: Tx,
	begun: readonly { readonly id: string; readonly resent: boolean }[],
): Promise<void> {
	await sql`
		update messages
		set
			status = case
				when status in ${sql(statesBefore("submitting"))} then 'submitting'
				else status
			end,
			attempts = attempts + 1,
			possible_duplicate = possible_duplicate or begun.resent
		from unnest(
			${begun.map((message) => message.id)}::uuid[],
			${sql.array(
				begun.map((message) => message.resent),
				BOOLEAN_ARRAY,
			)}::boolean[]
		) as begun (id, resent)
		where messages.id = begun.id
	`;
}

/** Takes back the count of an attempt that never reached the operator. */
export async function forgetAttempts(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	const { first, last } = idRange(ids);
	await sql`
		update messages
		set attempts = attempts - 1
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
	`;
}

/** Marks messages as sent without an answer. */
export async function markUnknown(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	const { first, last } = idRange(ids);
	await sql`
		update messages
		set status = 'unknown'
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
		and status in ${sql(statesBefore("unknown"))}
	`;
}

/** Marks messages of which the operator has every part. */
export async function markSubmitted(
	sql: Tx,
	submitted: readonly { readonly id: string; readonly partCount: number }[],
): Promise<void> {
	await sql`
		update messages
		set
			status = 'submitted',
			submitted_at = now(),
			part_count = submitted.part_count
		from unnest(
			${submitted.map((message) => message.id)}::uuid[],
			${submitted.map((message) => message.partCount)}::smallint[]
		) as submitted (id, part_count)
		where messages.id = submitted.id
		and status in ${sql(statesBefore("submitted"))}
	`;
}

/** Ends messages; answers those that had not ended before, once each. */
export async function finishMessages(
	sql: Tx,
	ends: readonly DecidedMessage[],
): Promise<FinishedMessage[]> {
	if (ends.length === 0) return [];
	return sql<FinishedMessage[]>`
		update messages
		set
			status = ended.status,
			reason = ended.reason,
			finished_at = now()
		from unnest(
			${ends.map((end) => end.id)}::uuid[],
			${ends.map((end) => end.status)}::text[],
			${ends.map((end) => end.reason)}::text[]
		) as ended (id, status, reason)
		where messages.id = ended.id
		and (
			(
				ended.status = 'delivered'
				and messages.status in ${sql(statesBefore("delivered"))}
			)
			or (
				ended.status = 'failed'
				and messages.status in ${sql(statesBefore("failed"))}
			)
		)
		returning
			messages.id,
			organization_id as "organizationId",
			recipient,
			client_reference as "clientReference",
			campaign_id as "campaignId",
			messages.status,
			messages.reason,
			finished_at as "finishedAt"
	`;
}

/** Locks messages in id order, so that receipts of several parts of one message take turns. */
export async function lockMessages(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
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

export async function countMessages(
	sql: Queryable,
	organizationId: string,
): Promise<{ status: MessageState; count: number }[]> {
	return sql<{ status: MessageState; count: number }[]>`
		select status, count(*) as count
		from messages
		where organization_id = ${organizationId}
		group by status
	`;
}

export interface TracedMessageRow {
	readonly organizationId: string;
	readonly recipient: string;
	readonly status: MessageState;
	readonly reason: string | null;
	readonly route: string;
	readonly segments: number;
	readonly attempts: number;
	readonly possibleDuplicate: boolean;
	readonly acceptedAt: Date;
	readonly submittedAt: Date | null;
	readonly finishedAt: Date | null;
}

/** For the platform's operator only: whoever owns the message. */
export async function findTracedMessage(
	sql: Queryable,
	id: string,
): Promise<TracedMessageRow | undefined> {
	const [row] = await sql<TracedMessageRow[]>`
		select
			organization_id as "organizationId",
			recipient,
			status,
			reason,
			route,
			coalesce(part_count, segments) as segments,
			attempts,
			possible_duplicate as "possibleDuplicate",
			accepted_at as "acceptedAt",
			submitted_at as "submittedAt",
			finished_at as "finishedAt"
		from messages
		where id = ${id}
	`;
	return row;
}
