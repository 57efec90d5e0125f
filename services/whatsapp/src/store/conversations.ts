import type { Queryable, Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type postgres from "postgres";
import { WINDOW_MS } from "../domain/conversation-window.ts";

type Fragment = postgres.PendingQuery<postgres.Row[]>;

export interface RecipientKey {
	readonly phoneNumberId: string;
	readonly recipient: string;
}

export interface WindowRow extends RecipientKey {
	readonly windowExpiresAt: Date | null;
}

/** Who wrote a message, by every name that is known. */
export interface User {
	readonly phoneNumberId: string;
	readonly organizationId: string;
	readonly recipient: string | null;
	readonly waId: string | null;
	readonly userId: string | null;
}

/** The windows of recipients, of numbers that the caller has checked to be its own. */
export async function findWindows(
	sql: Queryable,
	keys: readonly RecipientKey[],
): Promise<WindowRow[]> {
	if (keys.length === 0) return [];
	return sql<WindowRow[]>`
		select
			phone_number_id as "phoneNumberId",
			recipient,
			${windowExpiry(sql, "wanted")} as "windowExpiresAt"
		from unnest(
			${keys.map((key) => key.phoneNumberId)}::uuid[],
			${keys.map((key) => key.recipient)}::text[]
		) as wanted (phone_number_id, recipient)
	`;
}

/**
 * When the window of a row's `phone_number_id` and `recipient` ends, null when it was never open. The recipient may
 * be the number that was dialled or the provider's name for it, in different conversations: the later end counts.
 */
export function windowExpiry(sql: Queryable, row: string) {
	const expiryBy = (isUser: Fragment) => sql`(
		select window_expires_at
		from conversations
		where phone_number_id = ${sql(row)}.phone_number_id
		and ${isUser}
	)`;
	return sql`greatest(
		${expiryBy(sql`recipient = ${sql(row)}.recipient`)},
		${expiryBy(sql`wa_id = ltrim(${sql(row)}.recipient, '+')`)}
	)`;
}

/** Notes that messages go out, in key order so that two batches cannot deadlock. */
export async function touchConversations(
	sql: Tx,
	touched: readonly (RecipientKey & { readonly organizationId: string })[],
): Promise<void> {
	const distinct = [
		...new Map(
			touched.map((one) => [`${one.phoneNumberId} ${one.recipient}`, one]),
		).values(),
	];
	await sql`
		insert into conversations (id, organization_id, phone_number_id, recipient)
		select *
		from unnest(
			${distinct.map(() => uuidv7())}::uuid[],
			${distinct.map((one) => one.organizationId)}::uuid[],
			${distinct.map((one) => one.phoneNumberId)}::uuid[],
			${distinct.map((one) => one.recipient)}::text[]
		) as fresh (id, organization_id, phone_number_id, recipient)
		order by phone_number_id, recipient
		on conflict (phone_number_id, recipient) do update
		set last_message_at = greatest(conversations.last_message_at, now())
	`;
}

/** Learns the provider's name for a recipient, unless another conversation has it. */
export async function learnWaIds(
	sql: Queryable,
	learnt: readonly (RecipientKey & { readonly waId: string })[],
): Promise<void> {
	await sql`
		update conversations
		set wa_id = learnt.wa_id
		from unnest(
			${learnt.map((one) => one.phoneNumberId)}::uuid[],
			${learnt.map((one) => one.recipient)}::text[],
			${learnt.map((one) => one.waId)}::text[]
		) as learnt (phone_number_id, recipient, wa_id)
		where conversations.phone_number_id = learnt.phone_number_id
		and conversations.recipient = learnt.recipient
		and conversations.wa_id is null
		and not exists (
			select
			from conversations as other
			where other.phone_number_id = learnt.phone_number_id
			and other.wa_id = learnt.wa_id
		)
	`;
}

/** The conversation with a user by any of the names, locked; made when there is none. */
export async function lockConversation(sql: Tx, user: User): Promise<string> {
	const known = await findLocked(sql, user);
	if (known !== undefined) return known;
	await sql`
		insert into conversations (
			id, organization_id, phone_number_id, recipient, wa_id, user_id
		)
		values (
			${uuidv7()}, ${user.organizationId}, ${user.phoneNumberId},
			${user.recipient}, ${user.waId}, ${user.userId}
		)
		on conflict do nothing
	`;
	const made = await findLocked(sql, user);
	if (made === undefined) throw new Error("The conversation cannot be made.");
	return made;
}

/** By each name alone: no index serves a choice between them. */
async function findLocked(sql: Tx, user: User): Promise<string | undefined> {
	const idsBy = (isUser: Fragment) => sql`
		select id
		from conversations
		where phone_number_id = ${user.phoneNumberId}
		and ${isUser}
	`;
	const [row] = await sql<{ id: string }[]>`
		select id
		from conversations
		where id = any(array(
			${idsBy(sql`wa_id = ${user.waId}`)}
			union all
			${idsBy(sql`recipient = ${user.recipient}`)}
			union all
			${idsBy(sql`user_id = ${user.userId}`)}
		))
		order by
			wa_id is not distinct from ${user.waId} desc,
			recipient is not distinct from ${user.recipient} desc
		limit 1
		for update
	`;
	return row?.id;
}

/** Opens or extends the window from a message's own time, and fills in names that were missing. */
export async function openWindow(
	sql: Tx,
	id: string,
	user: User,
	at: Date,
): Promise<void> {
	const expiresAt = new Date(at.getTime() + WINDOW_MS);
	const free = (
		column: "recipient" | "wa_id" | "user_id",
		value: string | null,
	) => sql`
		${sql(column)} = coalesce(
			conversations.${sql(column)},
			case
				when not exists (
					select
					from conversations as other
					where other.phone_number_id = ${user.phoneNumberId}
					and other.${sql(column)} = ${value}
				) then ${value}
			end
		)
	`;
	await sql`
		update conversations
		set
			window_opened_at = case
				when window_expires_at is null or window_expires_at <= ${at} then ${at}
				else window_opened_at
			end,
			window_expires_at = greatest(window_expires_at, ${expiresAt}),
			maybe_open = greatest(window_expires_at, ${expiresAt}) > now(),
			last_message_at = greatest(last_message_at, now()),
			${free("recipient", user.recipient)},
			${free("wa_id", user.waId)},
			${free("user_id", user.userId)}
		where id = ${id}
	`;
}

/** Clears the mark of windows that have closed; returns how many. */
export async function clearClosedWindows(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const cleared = await sql`
		update conversations
		set maybe_open = false
		where id in (
			select id
			from conversations
			where maybe_open
			and window_expires_at <= now()
			order by window_expires_at
			limit ${limit}
			for update skip locked
		)
	`;
	return cleared.count;
}
