import type { Queryable, Tx } from "@airtower/platform/database/database";
import type {
	TemplateCategory,
	TemplateStatus,
} from "../domain/template-state.ts";
import { windowExpiry } from "./conversations.ts";

/** What is kept of a message until its submit. */
export type DispatchContent =
	| { readonly body: string }
	| { readonly parameters: readonly string[] };

export interface NewDispatch {
	readonly messageId: string;
	readonly phoneNumberId: string;
	readonly recipient: string;
	readonly templateId: string | null;
	readonly content: DispatchContent;
}

/** A row that this process holds. */
export interface ClaimedRow {
	readonly messageId: string;
	readonly phoneNumberId: string;
	readonly recipient: string;
	readonly content: DispatchContent;
	/** Times that the message was marked as submitting. */
	readonly attempt: number;
	/** Temporary refusals so far. */
	readonly refusals: number;
	readonly expiresAt: Date;
}

/** What decides at the last moment whether and how a message goes. */
export interface SendFacts {
	readonly messageId: string;
	readonly providerPhoneNumberId: string;
	/** Sealed. */
	readonly accessToken: Buffer;
	readonly windowExpiresAt: Date | null;
	/** Null for a text. */
	readonly template: {
		readonly name: string;
		readonly language: string;
		readonly category: TemplateCategory;
		readonly status: TemplateStatus;
		readonly locallyDisabled: boolean;
		readonly bodyOnly: boolean;
		readonly parameterCount: number;
		readonly parameterNames: string[] | null;
	} | null;
}

/** Names one attempt of one process: what a settle must still find in place. */
export interface Fence {
	readonly messageId: string;
	readonly token: string;
	readonly attempt: number;
}

export interface Postponement extends Fence {
	/** From now. */
	readonly delayMs: number;
	readonly refusals: number;
}

export interface ClaimOptions {
	readonly token: string;
	readonly leaseMs: number;
	/** Most rows of all numbers. */
	readonly limit: number;
	/** Messages per second of one number, over all processes. */
	readonly ratePerSecond: number;
	/** How far ahead of its rate a number may run, ms. */
	readonly burstMs: number;
}

/** Most numbers in one claim; the others have their turn in the next. */
const MAX_NUMBERS = 100;

export async function insertDispatch(
	sql: Tx,
	rows: readonly NewDispatch[],
	validityMs: number,
): Promise<void> {
	await sql`
		insert into dispatch (
			message_id, phone_number_id, recipient, template_id, content, expires_at
		)
		select
			message_id, phone_number_id, recipient, template_id, content,
			now() + ${validityMs} * interval '1 millisecond'
		from unnest(
			${rows.map((row) => row.messageId)}::uuid[],
			${rows.map((row) => row.phoneNumberId)}::uuid[],
			${rows.map((row) => row.recipient)}::text[],
			${rows.map((row) => row.templateId)}::uuid[],
			${rows.map((row) => JSON.stringify(row.content))}::text[]::jsonb[]
		) as fresh (message_id, phone_number_id, recipient, template_id, content)
	`;
}

/**
 * Claims due messages of active numbers, as many of each as its rate allows, and books their send
 * times. The pacing row is locked meanwhile: no other process sends for the number in the same slots.
 */
export async function claimDispatch(
	sql: Tx,
	options: ClaimOptions,
): Promise<ClaimedRow[]> {
	const { token, leaseMs, limit, ratePerSecond, burstMs } = options;
	return sql<ClaimedRow[]>`
		with numbers as materialized (
			select
				phone_number_id,
				greatest(free_at, now()) as free_at
			from pacing
			where free_at < now() + ${burstMs} * interval '1 millisecond'
			and paused_until <= now()
			and exists (
				select
				from phone_numbers
				where id = pacing.phone_number_id
				and status = 'active'
			)
			and exists (
				select
				from dispatch
				where dispatch.phone_number_id = pacing.phone_number_id
				and state = 'queued'
				and due_at <= now()
			)
			order by free_at
			limit ${MAX_NUMBERS}
			for update skip locked
		),
		due as materialized (
			select picked.message_id, picked.phone_number_id
			from numbers
			cross join lateral (
				select message_id, phone_number_id
				from dispatch
				where dispatch.phone_number_id = numbers.phone_number_id
				and state = 'queued'
				and due_at <= now()
				order by due_at, message_id
				limit greatest(1, least(
					ceil(${limit}::float8 / (select count(*) from numbers)),
					ceil(
						extract(epoch from now() - numbers.free_at)::float8 * ${ratePerSecond}::float8
						+ ${burstMs}::float8 / 1000 * ${ratePerSecond}::float8
					)
				))::bigint
				for update skip locked
			) as picked
			limit ${limit}
		),
		booked as (
			update pacing
			set free_at = numbers.free_at
				+ taken.count / ${ratePerSecond}::float8 * interval '1 second'
			from numbers
			join (
				select phone_number_id, count(*) as count
				from due
				group by phone_number_id
			) as taken using (phone_number_id)
			where pacing.phone_number_id = numbers.phone_number_id
		)
		update dispatch
		set
			state = 'claimed',
			token = ${token},
			lease_until = now() + ${leaseMs} * interval '1 millisecond'
		from due
		where dispatch.message_id = due.message_id
		returning
			dispatch.message_id as "messageId",
			dispatch.phone_number_id as "phoneNumberId",
			recipient,
			content,
			attempt,
			refusals,
			expires_at as "expiresAt"
	`;
}

/** The latest state of all that a send depends on. */
export async function findSendFacts(
	sql: Queryable,
	messageIds: readonly string[],
): Promise<SendFacts[]> {
	return sql<SendFacts[]>`
		select
			message_id as "messageId",
			numbers.provider_phone_number_id as "providerPhoneNumberId",
			numbers.access_token as "accessToken",
			${windowExpiry(sql, "dispatch")} as "windowExpiresAt",
			case when templates.id is not null then json_build_object(
				'name', templates.name,
				'language', templates.language,
				'category', templates.category,
				'status', templates.status,
				'locallyDisabled', templates.locally_disabled,
				'bodyOnly', templates.body_only,
				'parameterCount', templates.parameter_count,
				'parameterNames', templates.parameter_names
			) end as template
		from dispatch
		join phone_numbers as numbers on numbers.id = dispatch.phone_number_id
		left join templates on templates.id = dispatch.template_id
		where message_id = any(${[...messageIds]}::uuid[])
	`;
}

/** Begins the next attempt of claimed rows; answers the ids of those whose fence holds. */
export async function markDispatchSubmitting(
	sql: Queryable,
	claimed: readonly Fence[],
	leaseMs: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		update dispatch
		set
			state = 'submitting',
			attempt = held.attempt + 1,
			lease_until = now() + ${leaseMs} * interval '1 millisecond'
		from ${heldBy(sql, claimed)}
		where dispatch.message_id = held.message_id
		and dispatch.token = held.token
		and dispatch.attempt = held.attempt
		and dispatch.state = 'claimed'
		returning dispatch.message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Ends the dispatch of messages; answers the ids for which the fence held. */
export async function deleteDispatched(
	sql: Tx,
	fences: readonly Fence[],
): Promise<string[]> {
	if (fences.length === 0) return [];
	const rows = await sql<{ messageId: string }[]>`
		delete from dispatch
		using ${heldBy(sql, fences)}
		where dispatch.message_id = held.message_id
		and dispatch.token = held.token
		and dispatch.attempt = held.attempt
		returning dispatch.message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Puts rows back into the queue; answers the ids for which the fence held. */
export async function postponeDispatch(
	sql: Tx,
	postponements: readonly Postponement[],
): Promise<string[]> {
	if (postponements.length === 0) return [];
	const rows = await sql<{ messageId: string }[]>`
		update dispatch
		set
			state = 'queued',
			token = null,
			lease_until = null,
			due_at = now() + waiting.delay_ms * interval '1 millisecond',
			refusals = waiting.refusals
		from ${heldBy(sql, postponements)}
		join unnest(
			${postponements.map((one) => one.messageId)}::uuid[],
			${postponements.map((one) => one.delayMs)}::float8[],
			${postponements.map((one) => one.refusals)}::integer[]
		) as waiting (message_id, delay_ms, refusals) using (message_id)
		where dispatch.message_id = held.message_id
		and dispatch.token = held.token
		and dispatch.attempt = held.attempt
		returning dispatch.message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Lets rows wait for a word about what was sent, and forgets what it said; answers the ids for which the fence held. */
export async function holdUnknown(
	sql: Tx,
	fences: readonly Fence[],
	waitMs: number,
): Promise<string[]> {
	if (fences.length === 0) return [];
	const rows = await sql<{ messageId: string }[]>`
		update dispatch
		set ${unknownState(sql, waitMs)}
		from ${heldBy(sql, fences)}
		where dispatch.message_id = held.message_id
		and dispatch.token = held.token
		and dispatch.attempt = held.attempt
		returning dispatch.message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Frees rows that were claimed and never sent, of processes whose lease ran out; answers how many. */
export async function requeueExpired(sql: Tx, limit: number): Promise<number> {
	const requeued = await sql`
		update dispatch
		set
			state = 'queued',
			token = null,
			lease_until = null
		where message_id in (${expiredLeases(sql, "claimed", limit)})
	`;
	return requeued.count;
}

/** Declares what was being submitted under a lease that ran out as unknown; answers the ids. */
export async function orphanExpired(
	sql: Tx,
	limit: number,
	waitMs: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		update dispatch
		set ${unknownState(sql, waitMs)}
		where message_id in (${expiredLeases(sql, "submitting", limit)})
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Takes out messages of which no word came in time; answers their ids. */
export async function deleteOverdueUnknown(
	sql: Tx,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		delete from dispatch
		where message_id in (
			select message_id
			from dispatch
			where state = 'unknown'
			and due_at <= now()
			limit ${limit}
			for update skip locked
		)
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Takes out queued messages of stopped or paused numbers whose validity is over; answers their ids. */
export async function deleteOverdueQueued(
	sql: Tx,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		delete from dispatch
		where message_id in (
			select message_id
			from dispatch
			where state = 'queued'
			and expires_at <= now()
			limit ${limit}
			for update skip locked
		)
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Takes messages out of dispatch about which the provider has spoken, whoever holds them. */
export async function deleteDispatch(
	sql: Tx,
	messageIds: readonly string[],
): Promise<void> {
	await sql`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
	`;
}

/** Holds back all that waits for recipients that got too many. */
export async function pauseRecipients(
	sql: Tx,
	paused: readonly {
		readonly phoneNumberId: string;
		readonly recipient: string;
		readonly delayMs: number;
	}[],
): Promise<void> {
	await sql`
		update dispatch
		set due_at = greatest(
			due_at,
			now() + paused.delay_ms * interval '1 millisecond'
		)
		from unnest(
			${paused.map((one) => one.phoneNumberId)}::uuid[],
			${paused.map((one) => one.recipient)}::text[],
			${paused.map((one) => one.delayMs)}::float8[]
		) as paused (phone_number_id, recipient, delay_ms)
		where dispatch.phone_number_id = paused.phone_number_id
		and dispatch.recipient = paused.recipient
		and state = 'queued'
	`;
}

/** Holds back all that waits on numbers that send too fast. */
export async function pauseNumbers(
	sql: Tx,
	phoneNumberIds: readonly string[],
	pauseMs: number,
): Promise<void> {
	await sql`
		update pacing
		set paused_until = greatest(
			paused_until,
			now() + ${pauseMs} * interval '1 millisecond'
		)
		where phone_number_id = any(${[...phoneNumberIds]}::uuid[])
	`;
}

/** Rows that wait, counted up to a limit. */
export async function countDispatch(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*) as count
		from (select from dispatch limit ${limit}) as waiting
	`;
	return row?.count ?? 0;
}

function heldBy(sql: Queryable, fences: readonly Fence[]) {
	return sql`
		unnest(
			${fences.map((fence) => fence.messageId)}::uuid[],
			${fences.map((fence) => fence.token)}::uuid[],
			${fences.map((fence) => fence.attempt)}::integer[]
		) as held (message_id, token, attempt)
	`;
}

function unknownState(sql: Tx, waitMs: number) {
	return sql`
		state = 'unknown',
		token = null,
		lease_until = null,
		content = null,
		due_at = now() + ${waitMs} * interval '1 millisecond'
	`;
}

function expiredLeases(
	sql: Tx,
	state: "claimed" | "submitting",
	limit: number,
) {
	return sql`
		select message_id
		from dispatch
		where lease_until < now()
		and state = ${state}
		limit ${limit}
		for update skip locked
	`;
}
