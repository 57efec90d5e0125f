import type { Tx } from "@airtower/platform/database/database";
import {
	type ErasableTable,
	type Subject,
	scannedTable,
} from "@airtower/platform/privacy/erasable-table";
import {
	erasableKeys,
	erasableOutbox,
} from "@airtower/platform/privacy/event-tables";
import { unnamedReference } from "@airtower/platform/privacy/unnamed-reference";
import { userNumbers, whatsappIds } from "../domain/user-number.ts";
import { erasablePreferences } from "./marketing-preferences.ts";

/** What the provider sent is searched byte by byte, up to 3 MB a row. */
const CALLBACKS_PAGE = 500;

/** Callbacks name users by ids that only their conversations know: they go before these. */
const callbacks = scannedTable({
	name: "callbacks",
	pageRows: CALLBACKS_PAGE,
	page: (sql, subject, after, limit) => sql`
		select
			id,
			${isNamed(sql, userNames(sql, subject))}
				and ${isNamed(sql, numberNames(sql, subject))} as is_subject,
			state = 'stored' as is_pending
		from callbacks
		where id > ${after}
		order by id
		limit ${limit}
	`,
	erase: (sql, ids) => sql`
		delete from callbacks
		where id = any(${[...ids]}::uuid[])
	`,
});

/** True for a body that contains one of these names; no list of names means any. */
function isNamed(sql: Tx, names: ReturnType<typeof userNames>) {
	if (names === undefined) return sql`true`;
	return sql`exists (
		select
		from unnest(array(${names})) as name
		where position(convert_to(name, 'UTF8') in body) > 0
	)`;
}

function userNames(sql: Tx, { phone }: Subject) {
	if (phone === undefined) return undefined;
	const ids = whatsappIds(phone);
	return sql`
		select unnest(${ids}::text[])
		union
		select unnest(array_remove(array[wa_id, user_id], null))
		from conversations
		where ${isUser(sql, phone)}
	`;
}

function numberNames(sql: Tx, { organizationId }: Subject) {
	if (organizationId === undefined) return undefined;
	return sql`
		select provider_phone_number_id
		from phone_numbers
		where organization_id = ${organizationId}
	`;
}

function isUser(sql: Tx, phone: string) {
	const ids = whatsappIds(phone);
	return sql`(${hasNumber(sql, phone)} or wa_id = any(${ids}::text[]))`;
}

function hasNumber(sql: Tx, phone: string) {
	return sql`recipient = any(${userNumbers(phone)}::text[])`;
}

/** The message stays with all that is counted; what is to be sent, or may have been, keeps its number. */
const messages = scannedTable({
	name: "messages",
	page: (sql, { phone, organizationId }, after, limit) => sql`
		select
			id,
			${phone === undefined ? sql`recipient is not null` : hasNumber(sql, phone)}
				${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`} as is_subject,
			status in ('accepted', 'unknown') as is_pending
		from messages
		where id > ${after}
		order by id
		limit ${limit}
	`,
	erase: (sql, ids) => sql`
		update messages
		set
			recipient = null,
			client_reference = ${unnamedReference(sql)},
			provider_error = null,
			provider_message_id = ${erasedName(sql)}
		where id = any(${[...ids]}::uuid[])
		and recipient is not null
	`,
});

/** As in domain/erased-id.ts; our own id where a row has that already, because the message came again in the meantime. */
function erasedName(sql: Tx) {
	const name = sql`'erased-' || encode(sha256(convert_to(messages.provider_message_id, 'UTF8')), 'hex')`;
	return sql`
		case
			when exists (
				select
				from messages as other
				where other.phone_number_id = messages.phone_number_id
				and other.provider_message_id = ${name}
			)
			then 'erased-' || messages.id
			else ${name}
		end
	`;
}

const conversations = scannedTable({
	name: "conversations",
	page: (sql, { phone, organizationId }, after, limit) => sql`
		select
			id,
			${phone === undefined ? sql`user_id is distinct from ${erasedUser(sql)}` : isUser(sql, phone)}
				${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`} as is_subject,
			exists (
				select
				from dispatch
				where dispatch.phone_number_id = conversations.phone_number_id
				and dispatch.recipient = conversations.recipient
			) as is_pending
		from conversations
		where id > ${after}
		order by id
		limit ${limit}
	`,
	erase: (sql, ids) => sql`
		update conversations
		set recipient = null, wa_id = null, user_id = ${erasedUser(sql)}
		where id = any(${[...ids]}::uuid[])
	`,
});

/** The name that takes the place of all others: a conversation has one at least. */
function erasedUser(sql: Tx) {
	return sql`'erased-' || id`;
}

export const erasableTables: readonly ErasableTable[] = [
	erasableOutbox,
	erasableKeys,
	callbacks,
	messages,
	conversations,
	erasablePreferences,
];
