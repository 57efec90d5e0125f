import type { Tx } from "@airtower/platform/database/database";

/** Recipients in one row: a step of the snapshot reads one row. */
const CHUNK_SIZE = 5_000;

export async function insertRecipientImports(
	sql: Tx,
	campaignId: string,
	phones: readonly string[],
): Promise<void> {
	for (let start = 0; start < phones.length; start += CHUNK_SIZE) {
		await sql`
			insert into recipient_imports (campaign_id, position, phones)
			values (${campaignId}, ${start}, ${phones.slice(start, start + CHUNK_SIZE)}::text[])
		`;
	}
}

export async function deleteRecipientImports(
	sql: Tx,
	campaignId: string,
): Promise<void> {
	await sql`delete from recipient_imports where campaign_id = ${campaignId}`;
}

/** Takes the next chunk away; undefined when none is left. */
export async function takeRecipientImport(
	sql: Tx,
	campaignId: string,
): Promise<string[] | undefined> {
	const [row] = await sql<{ phones: string[] }[]>`
		delete from recipient_imports
		where campaign_id = ${campaignId}
		and position = (
			select min(position)
			from recipient_imports
			where campaign_id = ${campaignId}
		)
		returning phones
	`;
	return row?.phones;
}
