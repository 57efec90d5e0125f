import {
	followClock,
	moveDueBack,
} from "@airtower/platform/database/follow-clock";
import type { Context } from "../context.ts";
import { shortenLeases } from "../store/campaign-leases.ts";

/** The time that a campaign is scheduled for stays what it is. */
export function followDatabaseClock(ctx: Context): Promise<number> {
	return followClock(ctx, async (sql, stepMs) => {
		const isOurs = sql`due_at is distinct from scheduled_at`;
		await moveDueBack(sql, "campaigns", stepMs, isOurs);
		await shortenLeases(sql);
	});
}
