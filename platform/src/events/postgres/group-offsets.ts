import type { Queryable } from "../../database/database.ts";

export type Offsets = ReadonlyMap<string, number>;

export async function insertOffsets(
	sql: Queryable,
	group: string,
	topics: readonly string[],
): Promise<void> {
	await sql`
		insert into places (group_name, topic, position)
		select ${group}, topic, 0
		from unnest(${topics}::text[]) as topic
		on conflict do nothing
	`;
}

export async function findOffsets(
	sql: Queryable,
	group: string,
	topics: readonly string[],
): Promise<Offsets> {
	const rows = await sql<{ topic: string; position: number }[]>`
		select topic, position
		from places
		where group_name = ${group}
		and topic = any(${topics}::text[])
	`;
	return new Map(rows.map(({ topic, position }) => [topic, position]));
}

/** Never back, should two members claim for a moment. */
export async function moveOffsets(
	sql: Queryable,
	group: string,
	offsets: Offsets,
): Promise<void> {
	await sql`
		update places
		set position = greatest(places.position, moved.position)
		from unnest(${[...offsets.keys()]}::text[], ${[...offsets.values()]}::bigint[]) as moved (topic, position)
		where places.group_name = ${group}
		and places.topic = moved.topic
	`;
}
