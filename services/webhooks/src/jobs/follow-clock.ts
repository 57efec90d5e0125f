import {
	followClock,
	moveDueBack,
} from "@airtower/platform/database/follow-clock";
import type { Context } from "../context.ts";

export function followDatabaseClock(ctx: Context): Promise<number> {
	return followClock(ctx, (sql, stepMs) =>
		moveDueBack(sql, "delivery_queue", stepMs),
	);
}
