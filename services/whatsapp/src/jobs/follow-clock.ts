import {
	followClock,
	moveDueBack,
} from "@airtower/platform/database/follow-clock";
import type { Context } from "../context.ts";
import { movePacingBack } from "../store/dispatch/pacing.ts";

export function followDatabaseClock(ctx: Context): Promise<number> {
	return followClock(ctx, async (sql, stepMs) => {
		await moveDueBack(sql, "dispatch", stepMs);
		await moveDueBack(sql, "callbacks", stepMs, sql`state = 'stored'`);
		await moveDueBack(sql, "accounts", stepMs);
		await movePacingBack(sql, stepMs);
	});
}
