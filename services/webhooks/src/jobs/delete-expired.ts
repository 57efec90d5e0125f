import { transaction } from "@airtower/platform/database/database";
import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency";
import type { Context } from "../context.ts";
import { deleteOldSecrets } from "../store/endpoint-secrets.ts";
import { deleteOldEndpoints } from "../store/endpoints.ts";
import { deleteOldEvents } from "../store/events.ts";

const EVENT_RETENTION_DAYS = 30;
/** Deleted endpoints outlive the events that name them. */
const DELETED_ENDPOINT_RETENTION_DAYS = EVENT_RETENTION_DAYS + 10;
const BATCH = 1_000;

export async function deleteExpired({ sql }: Context): Promise<number> {
	return (
		(await transaction(sql, (sql) =>
			deleteOldEvents(sql, EVENT_RETENTION_DAYS, BATCH),
		)) +
		(await deleteOldEndpoints(sql, DELETED_ENDPOINT_RETENTION_DAYS, BATCH)) +
		(await deleteOldSecrets(sql, BATCH)) +
		(await deleteExpiredIdempotencyRecords(sql, BATCH))
	);
}
