import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type postgres from "postgres";

type Fragment = postgres.PendingQuery<postgres.Row[]>;

export interface RecipientKey {
	readonly phoneNumberId: string;
	readonly recipient: string;
}

export interface User {
	readonly phoneNumberId: string;
	readonly organizationId: string;
	readonly recipient: string | null;
	readonly waId: string | null;
	readonly userId: string | null;
}

/** Notes that messages go out, in key order so that two batches cannot deadlock. */
export async function touchConversations(
	sql: Tx,
	touched: readonly (RecipientKey & { readonly organizationId: string })[],
): Promise<void> {
	const rows = new Map(
		touched.map((one) => [
			`${one.phoneNumberId} ${one.recipient}`,
			{ ...one, id: uuidv7() },
		]),
	);
	await sql`
		insert into conversations (id, organization_id, phone_number_id, recipient)
		select *
		from ${unnest(sql, [...rows.values()], {
			id: "uuid",
			organizationId: "uuid",
			phoneNumberId: "uuid",
			recipient: "text",
		})}
		order by phone_number_id, recipient
		on conflict (phone_number_id, recipient) do update
		set last_message_at = greatest(conversations.last_message_at, now())
	`;
}

/** Learns the provider's name for a recipient, unless another conversation has it. */
export async function learnWaId(
	sql: Queryable,
	{ phoneNumberId, recipient }: RecipientKey,
	waId: string,
): Promise<void> {
	await sql`
		update conversations
		set wa_id = ${waId}
		where phone_number_id = ${phoneNumberId}
		and recipient = ${recipient}
		and wa_id is null
		and not exists (
			select
			from conversations as other
			where other.phone_number_id = ${phoneNumberId}
			and other.wa_id = ${waId}
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
