import type { Queryable, Tx } from "@airtower/platform/database/database";
import {
	listKey,
	type SetLists,
	type WordFamily,
	wordFamilies,
} from "../../domain/opt-outs/opt-out-words.ts";

/** The lists that admins have set in place of built-in ones. */
export async function findSetLists(sql: Queryable): Promise<SetLists> {
	const rows = await sql<
		{ country: string; family: WordFamily; words: string[] }[]
	>`
		select country, family, words
		from opt_out_words
		where family = any(${[...wordFamilies]})
	`;
	return new Map(
		rows.map(({ country, family, words }) => [listKey(country, family), words]),
	);
}

/** Makes who changes lists or adds keywords wait for each other; who reads them does not. */
export async function lockOptOutWords(sql: Tx): Promise<void> {
	await sql`lock table opt_out_words in share row exclusive mode`;
}

export async function putList(
	sql: Tx,
	country: string,
	family: WordFamily,
	words: readonly string[],
): Promise<void> {
	await sql`
		insert into opt_out_words (country, family, words)
		values (${country}, ${family}, ${[...words]}::text[])
		on conflict (country, family) do update set words = excluded.words
	`;
}

export async function deleteList(
	sql: Tx,
	country: string,
	family: WordFamily,
): Promise<void> {
	await sql`
		delete from opt_out_words
		where country = ${country}
		and family = ${family}
	`;
}
