import { checkMigrations } from "@airtower/dev/release/rule/check-migrations";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

/** What PostgreSQL says at its level `debug1` of work that takes longer the longer a table is. */
const LONG_WORK =
	/^(rewriting|verifying) table|^building index|^validating foreign key/;
/** With these nobody else may write to the table, or use it at all. */
const KEEPING_OTHERS_OFF =
	/^(Share|ShareRowExclusive|Exclusive|AccessExclusive)Lock$/;

let database: TestDatabase;
let sql: postgres.Sql;
let said: string[] = [];

beforeAll(async () => {
	database = await testDatabase([]);
	await database.sql`create table others (id int primary key)`;
	await database.sql`
		create table notes (
			id int,
			text text default '',
			constraint short check (length(text) < 99)
		)
	`;
	await database.sql`insert into others select generate_series(1, 100)`;
	await database.sql`insert into notes select generate_series(1, 100)`;
	sql = postgres(database.url, {
		max: 1,
		connection: { search_path: database.schema, client_min_messages: "debug1" },
		onnotice: ({ message = "" }) => said.push(message),
	});
});
afterAll(async () => {
	await sql.end();
	await database.drop();
});

/** True where a statement works through the table while it keeps others off; nothing of it stays. */
async function keepsOthersOff(statement: string): Promise<boolean> {
	said = [];
	let modes: string[] = [];
	await sql
		.begin(async (sql) => {
			await sql.unsafe(statement);
			const locks = await sql<{ mode: string }[]>`
				select mode
				from pg_locks
				where pid = pg_backend_pid()
				and relation = 'notes'::regclass
			`;
			modes = locks.map(({ mode }) => mode);
			throw new Error("rolled back");
		})
		.catch((error: Error) => expect(error.message).toBe("rolled back"));
	const isLong = said.some((message) => LONG_WORK.test(message));
	return isLong && modes.some((mode) => KEEPING_OTHERS_OFF.test(mode));
}

async function isRefused(statement: string): Promise<boolean> {
	const files = [{ path: "0002_next.sql", text: `${statement};` }];
	return (await checkMigrations(files, [])).length > 0;
}

test.each([
	"alter table notes alter column id type bigint",
	"alter table notes alter column text set not null",
	"alter table notes add column at timestamptz default clock_timestamp()",
	"alter table notes add column key uuid default gen_random_uuid()",
	"alter table notes add column number bigserial",
	"alter table notes add column n int generated always as identity",
	"alter table notes add column n int generated always as (length(text)) stored",
	"alter table notes add column n int check (n > 0)",
	"alter table notes add column n int unique",
	"alter table notes add constraint up check (id > 0)",
	"alter table notes add constraint known foreign key (id) references others (id)",
	"alter table notes add constraint text_set not null text",
	"alter table notes add primary key (id)",
	"create index notes_by_text on notes (text)",
])(
	"PostgreSQL keeps others off the table, and the rule refuses: %s",
	async (statement) => {
		expect(await keepsOthersOff(statement)).toBe(true);
		expect(await isRefused(statement)).toBe(true);
	},
);

test.each([
	"alter table notes add column title text",
	"alter table notes add column title text not null default ''",
	"alter table notes add column at timestamptz not null default now() + interval '1 day'",
	"alter table notes add column n int generated always as (length(text)) virtual",
	"alter table notes add column n int, add constraint up check (n > 0) not valid",
	"alter table notes drop constraint short, add constraint short check (length(text) < 999) not valid",
	"alter table notes alter column text set default 'none'",
	"alter table notes alter column text set statistics 0, set (fillfactor = 50)",
])("PostgreSQL is done at once, and the rule allows: %s", async (statement) => {
	expect(await keepsOthersOff(statement)).toBe(false);
	expect(await isRefused(statement)).toBe(false);
});

test("a constraint that is validated afterwards keeps nobody off the table", async () => {
	await sql`alter table notes add constraint up check (id > 0) not valid`;
	expect(await keepsOthersOff("alter table notes validate constraint up")).toBe(
		false,
	);
	await sql`alter table notes drop constraint up`;
});
