import { createHash } from "node:crypto";
import { parseKeyRing } from "@airtower/platform/sealing/key-ring";
import type postgres from "postgres";
import { StartError } from "../start/system.ts";
import type { Secrets } from "./secrets.ts";

/** Rings without which keys and sealed values in the database are of no use. */
const RINGS = [
	"apiKeyPeppers",
	"encryptionKeys",
	"accountsEncryptionKeys",
	"messagingEncryptionKeys",
	"whatsappEncryptionKeys",
] as const;
/** Its comment is the mark: that moves with a dump, and needs no table. */
const MARKED_SCHEMA = "accounts";

type Mark = Partial<Record<(typeof RINGS)[number], string>>;

/**
 * A ring may have got new keys since the mark was made; a database without a mark fits all.
 * @throws StartError when a key that was in use is not there
 */
export async function checkMark(
	sql: postgres.TransactionSql,
	secrets: Secrets,
): Promise<void> {
	const mark = await readMark(sql);
	for (const ring of RINGS) {
		const keys = [...parseKeyRing(secrets[ring]).all.values()];
		const marked = mark[ring];
		if (marked !== undefined && !keys.map(fingerprint).includes(marked))
			throw otherSecrets();
	}
}

export async function writeMark(
	sql: postgres.TransactionSql,
	secrets: Secrets,
): Promise<void> {
	const entries = RINGS.map((ring) => [
		ring,
		fingerprint(parseKeyRing(secrets[ring]).current.secret),
	]);
	const mark = JSON.stringify(Object.fromEntries(entries));
	await sql.unsafe(`comment on schema ${MARKED_SCHEMA} is '${mark}'`);
}

export function otherSecrets(): StartError {
	return new StartError(
		"This database belongs to another data folder; restore the secrets.json of that one, or use another database.",
	);
}

async function readMark(sql: postgres.TransactionSql): Promise<Mark> {
	const [row] = await sql<{ comment: string | null }[]>`
		select obj_description(to_regnamespace(${MARKED_SCHEMA}), 'pg_namespace') as comment
	`;
	try {
		return JSON.parse(row?.comment ?? "{}") as Mark;
	} catch {
		return {};
	}
}

/** Tells nothing of a key, which is random. */
function fingerprint(secret: Buffer): string {
	return createHash("sha256").update(secret).digest("hex");
}
