import { transaction } from "@airtower/platform/database/database";
import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency-records";
import type { Context } from "../context.ts";
import { deleteOldSecrets } from "../store/endpoint-secrets.ts";
import { deleteOldEndpoints } from "../store/endpoints.ts";
import { blankOldTexts } from "../store/event-texts.ts";
import { deleteOldEvents } from "../store/events.ts";

/** Deleted endpoints outlive the events that name them. */
const ENDPOINT_OUTLIVES_DAYS = 10;
const BATCH = 1_000;

export async function deleteExpired(ctx: Context): Promise<number> {
	const { sql, eventDays, textDays, oldEvents } = ctx;
	// Events with deliveries that are not over are passed over: others behind them must go all the same.
	const { deleted, next } = await transaction(sql, (sql) =>
		deleteOldEvents(sql, {
			days: eventDays,
			after: oldEvents.after,
			limit: BATCH,
		}),
	);
	oldEvents.after = next;
	return (
		deleted +
		(await blankOldTexts(sql, textDays, BATCH)) +
		(await deleteOldEndpoints(sql, eventDays + ENDPOINT_OUTLIVES_DAYS, BATCH)) +
		(await deleteOldSecrets(sql, BATCH)) +
		(await deleteExpiredIdempotencyRecords(sql, BATCH))
	);
}
