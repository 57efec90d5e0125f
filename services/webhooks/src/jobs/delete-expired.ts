import { transaction } from "@airtower/platform/database/database";
import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency-records";
import type { Context } from "../context.ts";
import { deleteOldSecrets } from "../store/endpoint-secrets.ts";
import { deleteOldEndpoints } from "../store/endpoints.ts";
import { deleteOldEvents } from "../store/events.ts";

/** Deleted endpoints outlive the events that name them. */
const ENDPOINT_OUTLIVES_DAYS = 10;
const BATCH = 1_000;

export async function deleteExpired({
	sql,
	eventDays,
}: Context): Promise<number> {
	return (
		(await transaction(sql, (sql) => deleteOldEvents(sql, eventDays, BATCH))) +
		(await deleteOldEndpoints(sql, eventDays + ENDPOINT_OUTLIVES_DAYS, BATCH)) +
		(await deleteOldSecrets(sql, BATCH)) +
		(await deleteExpiredIdempotencyRecords(sql, BATCH))
	);
}
