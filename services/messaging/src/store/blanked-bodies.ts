import type { Tx } from "@airtower/platform/database/database";
import { idRange } from "./messages.ts";

export async function blankBodies(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	if (ids.length === 0) return;
	const { first, last } = idRange(ids);
	await sql`
		update messages
		set body = ''
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
		and body <> ''
	`;
}
