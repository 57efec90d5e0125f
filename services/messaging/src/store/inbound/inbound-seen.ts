import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { unnest } from "@airtower/platform/database/unnest";

interface Fingerprint {
	/** SHA-256, in hexadecimal. */
	readonly fingerprint: string;
	/** For how long the same is a repetition. */
	readonly keepMs: number;
}

/** Notes what came, each once; returns the fingerprints that had not been seen. Others wait for this transaction. */
export async function insertSeen(
	sql: Tx,
	seen: readonly Fingerprint[],
): Promise<Set<string>> {
	const rows = await sql<{ fingerprint: string }[]>`
		insert into inbound_seen (fingerprint, until)
		select decode(fingerprint, 'hex'), now() + keep_ms * interval '1 millisecond'
		from ${unnest(sql, seen, { fingerprint: "text", keepMs: "float8" })}
		order by fingerprint
		on conflict (fingerprint) do update
		set until = excluded.until
		where inbound_seen.until <= now()
		returning encode(fingerprint, 'hex') as fingerprint
	`;
	return new Set(rows.map(({ fingerprint }) => fingerprint));
}

/** Those of the fingerprints that have not been seen, in their order. */
export async function findUnseen(
	sql: Tx,
	fingerprints: readonly string[],
): Promise<string[]> {
	const rows = await sql<{ fingerprint: string }[]>`
		select fingerprint
		from unnest(${[...fingerprints]}::text[]) with ordinality as given (fingerprint, nth)
		where not exists (
			select
			from inbound_seen
			where inbound_seen.fingerprint = decode(given.fingerprint, 'hex')
			and until > now()
		)
		order by nth
	`;
	return rows.map(({ fingerprint }) => fingerprint);
}

export function deleteForgottenSeen(
	sql: Queryable,
	limit: number,
): Promise<number> {
	return deleteBatch(sql, "inbound_seen", sql`until <= now()`, limit);
}
