import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { System } from "../start/system.ts";

/** Stored messages lie this far apart in the past, ms. */
const SPACING_MS = 50;

/** Stores contacts with a tag, whose numbers end in digits on which the SMSC simulator acts out no trouble. */
export async function storeContacts(
	system: System,
	organizationId: string,
	tag: string,
	count: number,
): Promise<void> {
	await withDatabase(system, async (sql) => {
		await sql`
			with contact as (
				insert into campaigns.contacts (organization_id, name, phone, tags)
				select ${organizationId}, 'Contact ' || nth, ${phone(sql)}, array[${tag}]
				from generate_series(0, ${count - 1}) as nth
				returning organization_id, created_at, id
			)
			insert into campaigns.contact_tags (organization_id, tag, created_at, contact_id)
			select organization_id, ${tag}, created_at, id from contact
		`;
	});
}

/**
 * Stores delivered messages as a year of use would, and a ledger entry for each. The messages belong to another
 * organization: a section waits until each of its own has its callback.
 */
export async function storeMessages(
	system: System,
	organizationId: string,
	count: number,
): Promise<void> {
	await withDatabase(system, async (sql) => {
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
			from generate_series(0, ${count - 1}) as nth
			cross join (
				select id, value from messaging.sender_ids
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
				'usage', -1, ${count} + nth, 'sms', ${messageId(sql)}
			from generate_series(0, ${count - 1}) as nth
		`;
	});
}

/** Leaves the tables as a year of use does: analyzed, and their pages on disk. */
async function withDatabase(
	system: System,
	store: (sql: postgres.Sql) => Promise<void>,
): Promise<void> {
	const sql = postgres(system.adminDatabaseUrl, { max: 1 });
	try {
		await store(sql);
		await sql`vacuum analyze`;
		await sql`checkpoint`;
	} finally {
		await sql.end();
	}
}

function phone(sql: postgres.Sql) {
	return sql`'+3361' || lpad((nth / 9000)::text, 3, '0') || (1000 + nth % 9000)`;
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
