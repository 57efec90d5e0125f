import { checkMigrations } from "@airtower/dev/release/rule/check-migrations";
import { expect, test } from "vitest";

const RELEASES = ["0.1.0"];
const OUTSIDE = "-- outside of a transaction";
const CONTRACT = "-- contract: 0.1.0";

function check(text: string): Promise<string[]> {
	const path = "services/notes/migrations/0002_next.sql";
	return checkMigrations([{ path, text }], RELEASES);
}

/** By what is refused of a table that the last release has: words of the reason and of the remedy. */
const REFUSED = {
	// It is taken away from the last release.
	"drop table notes": ["drops what", "contract: <that release>"],
	"drop function count_notes": ["drops what", "contract: <that release>"],
	"alter table notes drop column text": ["drops the column text", "contract:"],
	"alter table notes drop constraint text_set": ["drops the", "contract:"],
	"alter table notes alter column text drop default": ["default", "contract:"],
	"alter table notes rename column text to body": ["renames", "contract:"],
	"alter table notes rename to memos": ["renames", "contract:"],
	"alter table notes add constraint short check (length(text) < 9) not valid": [
		"the last release may break",
		"contract:",
	],
	// It locks the table for as long as it is long.
	"alter table notes alter column id type bigint": ["type of id", "batches"],
	"alter table notes alter column text set not null": ["reads", "not valid"],
	"alter table notes add column at timestamptz default clock_timestamp()": [
		"every row is written",
		"fill it in batches",
	],
	"alter table notes add column key uuid default gen_random_uuid()": [
		"every row is written",
		"fill it in batches",
	],
	"alter table notes add column number bigserial": ["every row", "batches"],
	"alter table notes add column n int generated always as identity": [
		"every row is written",
		"batches",
	],
	"alter table notes add column n int generated always as (length(text)) stored":
		["every row is written", "batches"],
	"alter table notes add column n int check (n > 0)": ["read", "not valid"],
	"alter table notes add column n int unique": ["read", "concurrently"],
	"alter table notes add column n int references notes (id)": ["read", "valid"],
	"alter table notes add constraint short check (length(text) < 9)": [
		"reads the whole table",
		"`not valid`",
	],
	"alter table notes add foreign key (id) references others (id)": [
		"reads the whole table",
		"`not valid`",
	],
	"alter table notes add unique (text)": ["reads", "`using index`"],
	"alter table notes validate constraint short": ["reads", "file of its own"],
	"create index notes_by_text on notes (text)": ["builds", "concurrently"],
	"create index concurrently notes_by_text on notes (text)": [
		"builds an index",
		OUTSIDE,
	],
	"drop index notes_by_text": ["drops an index", "concurrently"],
	"update notes set text = ''": ["keeps them locked", "a batch at a time"],
	"delete from notes": ["keeps them locked", "a batch at a time"],
	"insert into memos select * from notes": ["copies rows", "a batch at a time"],
	"create table notes_1 partition of notes for values from (1) to (2)": [
		"partition",
		"themselves",
	],
	// It fails the last release's inserts.
	"alter table notes add column n int not null": ["inserts", "default"],
	// Nobody can tell.
	"truncate notes": ["does not know (TruncateStmt)", "teach the rule"],
	"do $$ begin end $$": ["does not know (DoStmt)", "teach the rule"],
	"alter table notes disable trigger all": ["does not know", "teach the rule"],
	"alter table notes inherit memos": ["does not know", "teach the rule"],
} as const;

for (const [statement, words] of Object.entries(REFUSED))
	test(`refused: ${statement}`, async () => {
		const [sentence, ...others] = await check(`${statement};`);
		expect(others).toEqual([]);
		expect(sentence).toContain("services/notes/migrations/0002_next.sql: ");
		expect(sentence).toContain(statement.slice(0, 60));
		for (const word of words) expect(sentence).toContain(word);
	});

const REFUSED_OUTSIDE = {
	"create index concurrently notes_by_text on notes (text)": "if not exists",
	"create index if not exists notes_by_text on notes (text)": "concurrently",
	"CREATE INDEX CONCURRENTLY IF NOT EXISTS n on notes (text)": "Write `create",
	"create index concurrently on notes (text)": "Write `create",
	"drop index if exists notes_by_text": "not safe to run again",
	"alter table notes add column title text": "not safe to run again",
	"update notes set text = '' where text is null": "by `limit`",
	"insert into memos select id from notes limit 9": "on conflict do nothing",
	"create unique index concurrently if not exists n on notes (text)":
		"contract: <that release>",
} as const;

for (const [statement, words] of Object.entries(REFUSED_OUTSIDE))
	test(`refused outside of a transaction: ${statement}`, async () => {
		const sentences = await check(`${OUTSIDE}\n${statement};\n`);
		expect(sentences).toHaveLength(1);
		expect(sentences[0]).toContain(words);
	});

const ALLOWED = [
	"create table memos (id uuid primary key, note_id int references notes (id))",
	"alter table notes add column title text",
	"alter table notes add column title text not null default ''",
	"alter table notes add column at timestamptz not null default now() + interval '1 day'",
	"alter table notes add column tags text[] not null default '{}'",
	"alter table notes add column n int generated always as (length(text)) virtual",
	"alter table notes add column n int; alter table notes add constraint n_up check (n > 0) not valid",
	"alter table notes add column n int; alter table notes drop column n",
	"alter table notes drop constraint short, add constraint short check (length(text) < 99) not valid",
	"alter table notes alter column text set default ''",
	"alter table notes alter column text drop not null",
	"alter table notes alter column text set statistics 0, set (fillfactor = 50)",
	"insert into plans (name) values ('default')",
	"create function count_notes() returns bigint language sql return 1",
	"comment on table notes is 'What was noted.'",
];

for (const statements of ALLOWED)
	test(`allowed: ${statements}`, async () => {
		expect(await check(`${statements};`)).toEqual([]);
	});

test("allowed outside of a transaction: indexes, batches and validation", async () => {
	const text = `${OUTSIDE}

create index concurrently if not exists notes_by_text on notes (text);

-- A batch at a time.
update notes
set text = ''
where id in (select id from notes where text is null limit 1000);

delete from notes
where id in (select id from notes where text = '' limit 1000);

alter table notes validate constraint short;
`;
	expect(await check(text)).toEqual([]);
});

test("a table of the same release is free", async () => {
	const text = `
		create table memos (id int);
		create index memos_by_id on memos (id);
		alter table memos alter column id set not null, add column n bigserial;
		update memos set n = 0;
		insert into memos select * from memos;
		drop table memos;
	`;
	expect(await check(text)).toEqual([]);
});

test("a table of an earlier unreleased file is free too", async () => {
	const files = ["create table memos (id int)", "drop table memos"];
	const named = files.map((text, at) => ({ path: `000${at}.sql`, text }));
	expect(await checkMigrations(named, RELEASES)).toEqual([]);
});

test("what a release has ended the use of may go, and says which release", async () => {
	for (const statement of [
		"drop table notes",
		"alter table notes drop column text",
		"alter table notes rename to memos",
	])
		expect(await check(`${CONTRACT}\n${statement};`)).toEqual([]);
	const index = "drop index concurrently if exists notes_by_text";
	expect(await check(`${OUTSIDE}\n\n${CONTRACT}\n${index};\n`)).toEqual([]);
});

test("a marker excuses its own statement alone, and nothing that locks", async () => {
	const [sentence, ...others] = await check(
		`${CONTRACT}\ndrop table notes;\ndrop table memos;`,
	);
	expect(others).toEqual([]);
	expect(sentence).toContain('"drop table memos"');
	const locking = "alter table notes alter column id type bigint";
	expect(await check(`${CONTRACT}\n${locking};`)).toHaveLength(1);
});

test("a marker of a release that is not recorded is refused", async () => {
	const [sentence] = await check("-- contract: 0.2.0\ndrop table notes;");
	expect(sentence).toContain("names 0.2.0, which is no release");
	expect(sentence).toContain("0.1.0");
});

test("statements outside of a transaction stand apart by empty lines, as they are run", async () => {
	const index = (name: string) =>
		`create index concurrently if not exists ${name} on notes (text);`;
	const together = `${OUTSIDE}\n${index("a")}\n${index("b")}\n`;
	const torn = `${OUTSIDE}\n${index("a").replace(" on", "\n\non")}\n`;
	for (const text of [together, torn])
		expect(await check(text)).toEqual([
			expect.stringContaining("not apart. Put an empty line"),
		]);
});

test("what PostgreSQL cannot read is an error that says where", async () => {
	await expect(check("alter tabel notes;")).rejects.toThrow(/syntax error/);
});
