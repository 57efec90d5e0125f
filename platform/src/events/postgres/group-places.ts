import type { Queryable } from "../../database/database.ts";

export type Places = ReadonlyMap<string, number>;

export async function insertPlaces(
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

export async function findPlaces(
	sql: Queryable,
	group: string,
	topics: readonly string[],
): Promise<Places> {
	const rows = await sql<{ topic: string; position: number }[]>`
		select topic, position
		from places
		where group_name = ${group}
		and topic = any(${topics}::text[])
	`;
	return new Map(rows.map(({ topic, position }) => [topic, position]));
}

/** Never back, should two members claim for a moment. */
export async function movePlaces(
	sql: Queryable,
	group: string,
	places: Places,
): Promise<void> {
	await sql`
		update places
		set position = greatest(places.position, moved.position)
		from unnest(${[...places.keys()]}::text[], ${[...places.values()]}::bigint[]) as moved (topic, position)
		where places.group_name = ${group}
		and places.topic = moved.topic
	`;
}
