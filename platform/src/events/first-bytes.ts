import type postgres from "postgres";
import { byIndex } from "../database/by-index.ts";
import type { Queryable } from "../database/database.ts";
import type { BusEvent } from "./event-bus.ts";
import { type EventRow, selectEvent, toEvent } from "./event-rows.ts";

const MAX_BATCH_BYTES = 8_000_000;

export interface PositionedEvent {
	readonly position: number;
	readonly event: BusEvent;
}

/** The first rows of a query, about 8 MB of them, one at least. */
export async function findFirstBytes(
	sql: Queryable,
	oldest: postgres.Fragment,
): Promise<PositionedEvent[]> {
	const rows = await byIndex(
		sql,
		(sql) => sql<(EventRow & { position: number })[]>`
		select position, ${selectEvent(sql)}
		from (
			select *, sum(octet_length(payload)) over (order by position) as bytes
			from (${oldest}) as oldest
		) as measured
		where bytes - octet_length(payload) < ${MAX_BATCH_BYTES}
		order by position
	`,
	);
	return rows.map((row) => ({ position: row.position, event: toEvent(row) }));
}
