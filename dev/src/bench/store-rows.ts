import postgres from "postgres";
import type { Bench } from "./bench.ts";

/** An organization whose outcomes the bench does not wait for, and its sender ID. */
const OTHER_ID = "00000000-0000-7000-8000-000000000001";

/** Stores contacts with a tag, which nobody else of the organization has. */
export function storeContacts(
	{ system }: Bench,
	organizationId: string,
	tag: string,
	count: number,
): Promise<void> {
	return store(
		system.adminDatabaseUrl,
		(sql) => sql`
			with contact as (
				insert into campaigns.contacts (organization_id, name, phone, tags)
				select ${organizationId}, 'Contact ' || nth, ${phone(sql)}, array[${tag}]
				from generate_series(0, ${count - 1}) as nth
				returning organization_id, created_at, id
			)
			insert into campaigns.contact_tags (organization_id, tag, created_at, contact_id)
			select organization_id, ${tag}, created_at, id from contact
		`,
	);
}

/** Stores delivered messages of another organization, 50 ms apart, each paid for. */
export function storeMessages({ system }: Bench, count: number): Promise<void> {
	return store(
		system.adminDatabaseUrl,
		(sql) => sql`
			with message as (
				insert into messaging.messages (
					id, organization_id, recipient, body, sender_id, sender_value, segments, concat_reference,
					route, status, attempts, part_count, accepted_at, submitted_at, finished_at
				)
				select
					id, ${OTHER_ID}, ${phone(sql)}, 'Your code is 123456', ${OTHER_ID}, 'Bench', 1, 0,
					'default', 'delivered', 1, 1, stored_at, stored_at, stored_at
				from generate_series(0, ${count - 1}) as nth
				cross join lateral uuidv7((nth + 1) * interval '-50 milliseconds') as id
				cross join lateral uuid_extract_timestamp(id) as stored_at
				returning id, accepted_at
			)
			insert into accounts.ledger_entries (
				organization_id, created_at, id, kind, units, balance_after, channel, message_id
			)
			select ${OTHER_ID}, accepted_at, id, 'usage', -1, ${count}, 'sms', id from message
		`,
	);
}

/** Leaves the tables as use does: counted by the server, and their pages on disk. */
async function store(
	url: string,
	insert: (sql: postgres.Sql) => postgres.PendingQuery<postgres.Row[]>,
): Promise<void> {
	const sql = postgres(url, { max: 1 });
	try {
		await insert(sql);
		await sql`vacuum analyze`;
		await sql`checkpoint`;
	} finally {
		await sql.end();
	}
}

/** Numbers whose last digits ask the SMSC simulator for no trouble. */
function phone(sql: postgres.Sql) {
	return sql`'+3361' || lpad((nth / 9000)::text, 3, '0') || (1000 + nth % 9000)`;
}
