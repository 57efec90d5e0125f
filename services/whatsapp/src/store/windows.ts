import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type postgres from "postgres";
import { WINDOW_MS } from "../domain/conversation-window.ts";
import type { RecipientKey, User } from "./conversations.ts";

type Fragment = postgres.PendingQuery<postgres.Row[]>;

interface WindowRow extends RecipientKey {
	readonly windowExpiresAt: Date | null;
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
			${windowExpiry(sql, "given")} as "windowExpiresAt"
		from ${unnest(sql, keys, { phoneNumberId: "uuid", recipient: "text" })}
	`;
}

/** The dialled number and the provider's name for it may have a conversation each: the later end counts. */
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

/**
 * Opens or extends the window from a message's own time, never one in the future; fills in the identifiers of the user
 * that were missing.
 */
export async function openWindow(
	sql: Tx,
	id: string,
	user: User,
	at: Date,
): Promise<void> {
	const { phoneNumberId, recipient, waId, userId } = user;
	const openedAt = sql`least(${at}::timestamptz, now())`;
	const expiresAt = sql`${openedAt} + ${WINDOW_MS} * interval '1 millisecond'`;
	await sql`
		update conversations
		set
			window_opened_at = case
				when window_expires_at is null or window_expires_at <= ${openedAt} then ${openedAt}
				else window_opened_at
			end,
			window_expires_at = greatest(window_expires_at, ${expiresAt}),
			maybe_open = greatest(window_expires_at, ${expiresAt}) > now(),
			last_message_at = greatest(last_message_at, now()),
			recipient = ${fillIn(sql, phoneNumberId, "recipient", recipient)},
			wa_id = ${fillIn(sql, phoneNumberId, "wa_id", waId)},
			user_id = ${fillIn(sql, phoneNumberId, "user_id", userId)}
		where id = ${id}
	`;
}

/**
 * An identifier of a conversation's user, or the given one where it has none and no other conversation has that one.
 */
function fillIn(
	sql: Tx,
	phoneNumberId: string,
	column: "recipient" | "wa_id" | "user_id",
	value: string | null,
) {
	return sql`coalesce(
		conversations.${sql(column)},
		case
			when not exists (
				select
				from conversations as other
				where other.phone_number_id = ${phoneNumberId}
				and other.${sql(column)} = ${value}
			) then ${value}
		end
	)`;
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
