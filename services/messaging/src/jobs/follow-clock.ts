import {
	followClock,
	moveDueBack,
} from "@airtower/platform/database/follow-clock";
import type { DeliveryContext } from "../context.ts";

/** Unknown messages wait on: none goes again before its receipt has had all of its time. */
export function followDatabaseClock(ctx: DeliveryContext): Promise<number> {
	return followClock(ctx, async (sql, stepMs) => {
		await moveDueBack(sql, "dispatch", stepMs, sql`not unknown`);
		await moveDueBack(sql, "receipts", stepMs);
		await moveDueBack(sql, "inbound_parts", stepMs);
	});
}
