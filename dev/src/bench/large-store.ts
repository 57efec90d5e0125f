import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { ensureWhatsappNumber } from "../start/provision.ts";
import { cloudApiNumber } from "../start/simulators.ts";
import type { BenchSystem } from "./bench-system.ts";

/** Contacts, ledger entries and WhatsApp messages that are stored for the organization, and SMS for another one. */
export const STORED = 1_000_000;
/** WhatsApp conversations that are stored for the organization: as many recipients share the messages. */
export const CONVERSATIONS = 100_000;
/** Tag of the first contacts, and how many they are. */
export const WAVE = "wave";
export const WAVE_SIZE = 50_000;
/** Tag of every stored contact. */
const EVERYONE = "everyone";

/** Stored messages lie this far apart in the past, ms. */
const SPACING_MS = 50;

/**
 * Fills the tables as a year of use would, past the API: that would take an hour. The SMS belong
 * to another organization, for the benchmarks wait until each of their own has its callback.
 * Phone numbers end in digits on which the SMSC simulator acts out no trouble.
 */
export async function fillStore({
	system,
	organizationId,
}: BenchSystem): Promise<void> {
	const sql = postgres(system.adminDatabaseUrl, { max: 1 });
	try {
		await sql`
			insert into campaigns.contacts (organization_id, name, phone, tags)
			select
				${organizationId},
				'Contact ' || nth,
				${phone(sql)},
				case
					when nth < ${WAVE_SIZE} then array[${EVERYONE}, ${WAVE}]
					else array[${EVERYONE}]
				end
			from generate_series(0, ${STORED - 1}) as nth
		`;
		await sql`
			insert into campaigns.contact_tags (organization_id, tag, created_at, contact_id)
			select organization_id, unnest(tags), created_at, id
			from campaigns.contacts
			where organization_id = ${organizationId}
		`;
		await sql`
			insert into messaging.messages (
				id, organization_id, recipient, body, sender_id, sender_value, segments,
				concat_reference, route, status, attempts, part_count,
				accepted_at, submitted_at, finished_at
			)
			select
				${messageId(sql)}, ${randomUUID()}, ${phone(sql)}, 'Your code is 123456',
				sender.id, sender.value, 1, 0, 'default', 'delivered', 1, 1,
				${storedAt(sql)}, ${storedAt(sql)}, ${storedAt(sql)}
			from generate_series(0, ${STORED - 1}) as nth
			cross join (
				select id, value
				from messaging.sender_ids
				where organization_id = ${organizationId}
				limit 1
			) as sender
		`;
		await sql`
			insert into accounts.ledger_entries (
				organization_id, created_at, id, kind, units, balance_after, channel, message_id
			)
			select
				${organizationId}, ${storedAt(sql)}, ${messageId(sql)},
				'usage', -1, ${STORED} + nth, 'sms', ${messageId(sql)}
			from generate_series(0, ${STORED - 1}) as nth
		`;
		await settleStore(sql);
	} finally {
		await sql.end();
	}
}

/** Fills the WhatsApp tables: nothing but their lists is measured on them. */
export async function fillWhatsapp({
	system,
	clients,
	organizationId,
}: BenchSystem): Promise<void> {
	const phoneNumberId = await ensureWhatsappNumber(clients, organizationId, {
		...cloudApiNumber,
		accessToken: system.cloudApiToken,
	});
	const sql = postgres(system.adminDatabaseUrl, { max: 1 });
	try {
		await sql`
			insert into whatsapp.conversations (
				id, organization_id, phone_number_id, recipient, wa_id,
				window_opened_at, window_expires_at, maybe_open, created_at, last_message_at
			)
			select
				${messageId(sql)}, ${organizationId}, ${phoneNumberId},
				${phone(sql)}, substr(${phone(sql)}, 2),
				${storedAt(sql)}, ${storedAt(sql)} + interval '24 hours', true,
				${storedAt(sql)}, ${storedAt(sql)}
			from generate_series(0, ${CONVERSATIONS - 1}) as nth
		`;
		await sql`
			insert into whatsapp.messages (
				id, organization_id, phone_number_id, direction, type, recipient, status,
				billing_category, template_name, template_language, provider_message_id,
				attempts, created_at, sent_at, delivered_at, read_at, finished_at
			)
			select
				${messageId(sql)}, ${organizationId}, ${phoneNumberId}, 'outbound', 'template',
				${phone(sql, sql`nth % ${CONVERSATIONS}::integer`)}, 'read',
				'utility', 'order_update', 'en_US', 'wamid.' || nth,
				1, ${storedAt(sql)}, ${storedAt(sql)}, ${storedAt(sql)}, ${storedAt(sql)}, ${storedAt(sql)}
			from generate_series(0, ${STORED - 1}) as nth
		`;
		await settleStore(sql);
	} finally {
		await sql.end();
	}
}

/** What a year of use has done by and by, and what would otherwise be done while the benchmarks measure. */
async function settleStore(sql: postgres.Sql): Promise<void> {
	await sql`vacuum analyze`;
	await sql`checkpoint`;
}

function phone(sql: postgres.Sql, nth = sql`nth`) {
	return sql`'+3361' || lpad(((${nth}) / 9000)::text, 3, '0') || (1000 + (${nth}) % 9000)`;
}

function storedAt(sql: postgres.Sql) {
	return sql`date_trunc('minute', now()) - (nth + 1) * ${SPACING_MS} * interval '1 millisecond'`;
}

/** A UUIDv7 of the message's time, the same for the same number. */
function messageId(sql: postgres.Sql) {
	const time = sql`to_hex((extract(epoch from ${storedAt(sql)}) * 1000)::bigint)`;
	return sql`(
		lpad(${time}, 12, '0') || '7' || substr(md5(nth::text), 1, 3)
		|| '8' || substr(md5(nth::text), 4, 15)
	)::uuid`;
}
