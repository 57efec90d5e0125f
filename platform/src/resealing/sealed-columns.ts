import type postgres from "postgres";
import {
	BYTEA_ARRAY,
	type Db,
	type Queryable,
	type Tx,
} from "../database/database.ts";
import { unnest } from "../database/unnest.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import { ciphertextPrefix } from "../sealing/sealed-secret.ts";

/** A column of ciphertexts that `sealSecret` has made. */
export interface SealedColumn {
	readonly table: string;
	readonly column: string;
	/** The column of whose value, as text, the contexts are made. */
	readonly owner: string;
	/** What a ciphertext of the owner may have been sealed with. */
	readonly contexts: (owner: string) => readonly string[];
	/** True for a column that contains other things too. */
	readonly isMixed?: boolean;
}

interface SealedCount {
	/** Under older keys of the ring. */
	readonly left: number;
	/** Under keys that are not in the ring. */
	readonly unreadable: number;
}

export async function countSealed(
	sql: Db,
	ring: KeyRing,
	{ table, column, isMixed = false }: SealedColumn,
): Promise<SealedCount> {
	const known = [...ring.all.keys()];
	const [row] = await sql<[SealedCount]>`
		select
			count(*) filter (where ${isUnder(sql, column, olderKeys(ring))}) as left,
			count(*) filter (where not ${isMixed} and not ${isUnder(sql, column, known)}) as unreadable
		from ${sql(table)}
		where ${sql(column)} <> ''
	`;
	return row;
}

/** A ciphertext with its row in the table, where it stays until the transaction ends. */
interface StoredCiphertext {
	readonly row: string;
	readonly ciphertext: Buffer;
	readonly owner: string;
}

export async function lockOldCiphertexts(
	sql: Tx,
	ring: KeyRing,
	{ table, column, owner }: SealedColumn,
	limit: number,
): Promise<StoredCiphertext[]> {
	return sql<StoredCiphertext[]>`
		select
			ctid::text as row,
			${sql(column)} as ciphertext,
			${sql(owner)}::text as owner
		from ${sql(table)}
		where ${isUnder(sql, column, olderKeys(ring))}
		limit ${limit}
		for update skip locked
	`;
}

export async function updateCiphertexts(
	sql: Tx,
	{ table, column }: SealedColumn,
	fresh: readonly Omit<StoredCiphertext, "owner">[],
): Promise<void> {
	await sql`
		update ${sql(table)} as sealed
		set ${sql(column)} = given.ciphertext
		from ${unnest(sql, fresh, { row: "text", ciphertext: "bytea" })}
		where sealed.ctid = given.row::tid
	`;
}

export function olderKeys({ current, all }: KeyRing): string[] {
	return [...all.keys()].filter((id) => id !== current.id);
}

function isUnder(
	sql: Queryable,
	column: string,
	keyIds: readonly string[],
): postgres.Fragment {
	return sql`exists (
		select
		from unnest(${sql.array(keyIds.map(ciphertextPrefix), BYTEA_ARRAY)}::bytea[]) as prefix
		where substring(${sql(column)} for octet_length(prefix)) = prefix
	)`;
}
