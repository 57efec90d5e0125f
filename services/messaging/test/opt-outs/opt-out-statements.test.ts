import type { Db } from "@airtower/platform/database/database";
import { LOWEST_ID } from "@airtower/platform/runtime/ids";
import {
	MANY,
	type Statements,
	testStatements,
} from "@airtower/platform/testing/statements";
import { migrations } from "../../src/migrations.ts";
import {
	deleteReplies,
	dropReplies,
	findDueReplies,
	insertReply,
	postponeReplies,
} from "../../src/store/opt-outs/opt-out-replies.ts";
import {
	findOptOutSettings,
	lockOptOutSettings,
	updateOptOutSettings,
} from "../../src/store/opt-outs/opt-out-settings.ts";
import { findSetLists } from "../../src/store/opt-outs/opt-out-words.ts";
import {
	deleteOptOut,
	findOptedOut,
	findOptOut,
	findOptOuts,
	insertOptOuts,
	liftOptOuts,
	liftWhatsAppOptOuts,
} from "../../src/store/opt-outs/opt-outs.ts";

const BATCH = 100;
/** Rows read and index searches for one number; what grows with the tables takes hundreds. */
const MOST_PER_NUMBER = 12;
/** Lists of words that are set; there are as many countries. */
const LISTS = 200;

const places = Array.from({ length: BATCH }, (_, nth) => MANY / 2 + nth);
/** The nth entry, response or organization. */
const idOf = (n: number) =>
	`00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const ids = places.map(idOf);
const optOutOf = (n: number) => ({
	recipient: `+${33_600_000_000 + n}`,
	sender: "S",
});
/** Has every second entry of all. */
const large = idOf(0);
const own = places.map((_, nth) => MANY / 2 + 2 * nth);
const [first = 0] = own;
const reply = {
	...optOutOf(first),
	id: idOf(2 * MANY),
	family: "stop",
	body: "Bye",
	exempt: true,
} as const;

const STATEMENTS: Statements = {
	"insertOptOuts of new numbers": (sql) =>
		insertOptOuts(
			sql,
			large,
			"import",
			own.map((n) => ({ ...optOutOf(n + 2 * MANY), id: idOf(n + 2 * MANY) })),
		),
	"insertOptOuts of known numbers": (sql) =>
		insertOptOuts(
			sql,
			large,
			"import",
			own.map((n) => ({ ...optOutOf(n), id: idOf(n + 2 * MANY) })),
		),
	findOptOut: (sql) => findOptOut(sql, large, optOutOf(first)),
	"findOptOuts of a page": (sql) =>
		findOptOuts(sql, large, {
			limit: BATCH,
			after: { createdAt: new Date(), id: LOWEST_ID },
		}),
	"findOptOuts of a number": (sql) =>
		findOptOuts(sql, large, {
			limit: BATCH,
			after: undefined,
			recipient: optOutOf(first).recipient,
		}),
	deleteOptOut: (sql) => deleteOptOut(sql, large, idOf(first)),
	liftOptOuts: (sql) => liftOptOuts(sql, large, optOutOf(first)),
	liftWhatsAppOptOuts: (sql) =>
		liftWhatsAppOptOuts(sql, large, optOutOf(first)),
	findOptedOut: (sql) =>
		findOptedOut(
			sql,
			places.map((n) => ({
				...optOutOf(n),
				organizationId: large,
				messageClass: n % 3 === 0 ? "one_time_password" : null,
			})),
		),
	findOptOutSettings: (sql) => findOptOutSettings(sql, idOf(first)),
	"lockOptOutSettings and updateOptOutSettings": async (sql) =>
		updateOptOutSettings(
			sql,
			idOf(first),
			await lockOptOutSettings(sql, idOf(first)),
		),
	findSetLists,
	insertReply: (sql) => insertReply(sql, large, reply),
	dropReplies: (sql) =>
		dropReplies(sql, large, reply.recipient, ["stop", "help"]),
	findDueReplies: (sql) => findDueReplies(sql, BATCH),
	deleteReplies: (sql) => deleteReplies(sql, ids),
	postponeReplies: (sql) =>
		postponeReplies(
			sql,
			ids.map((id) => ({ id, delayMs: 250 })),
		),
};

testStatements({
	migrations,
	statements: STATEMENTS,
	fill: insertRows,
	queues: ["opt_out_replies"],
	mostReads: BATCH * MOST_PER_NUMBER,
});

/** An entry, a response and the settings of an organization for each of these numbers. */
async function insertRows(sql: Db, first: number, last: number): Promise<void> {
	const rows = sql`(
		select
			n,
			('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
			('00000000-0000-7000-8000-' || lpad((n % 2 * n)::text, 12, '0'))::uuid as organization_id,
			'+' || 33600000000 + n as recipient
		from generate_series(${first}::int, ${last}::int) as n
	) as row`;
	await sql`
		insert into opt_outs (id, organization_id, recipient_hash, recipient, sender, source)
		select
			id, organization_id, sha256(key || sha256(key || convert_to(recipient, 'UTF8'))), recipient, 'S',
			case n % 3 when 0 then 'whatsapp' else 'keyword' end
		from ${rows}
		cross join opt_out_key
	`;
	await sql`
		insert into opt_out_replies (id, organization_id, recipient, sender, family, body, exempt)
		select id, organization_id, recipient, 'S', 'stop', 'Bye', true
		from ${rows}
	`;
	await sql`
		insert into opt_out_settings (organization_id, exempts_one_time_passwords)
		select id, true
		from ${rows}
	`;
	await sql`
		insert into opt_out_words (country, family, words)
		select n::text, 'stop', '{STOP}'
		from ${rows}
		where n <= ${LISTS}
	`;
}
