import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency";
import { deleteExpiredInboxRows } from "@airtower/platform/events/inbox";
import type { WebhooksContext } from "../context.ts";
import { deleteOldAttempts } from "../store/attempts.ts";
import { deleteOldEndpoints } from "../store/endpoints.ts";
import { deleteOldEvents } from "../store/events.ts";

/** How long events are kept with their deliveries, days. */
const EVENT_RETENTION_DAYS = 30;
/** How long single attempts are kept, days. */
const ATTEMPT_RETENTION_DAYS = 3;
/** Deleted endpoints outlive the deliveries that name them, days. */
const DELETED_ENDPOINT_RETENTION_DAYS = EVENT_RETENTION_DAYS + 10;
const BATCH = 1_000;

/** Removes what is past its retention, a batch of each kind; answers how many rows. */
export async function deleteExpired(ctx: WebhooksContext): Promise<number> {
	const { sql } = ctx;
	return (
		(await deleteOldEvents(sql, EVENT_RETENTION_DAYS, BATCH)) +
		(await deleteOldAttempts(sql, ATTEMPT_RETENTION_DAYS, BATCH)) +
		(await deleteOldEndpoints(sql, DELETED_ENDPOINT_RETENTION_DAYS, BATCH)) +
		(await deleteExpiredIdempotencyRecords(sql, BATCH)) +
		(await deleteExpiredInboxRows(sql, BATCH))
	);
}
