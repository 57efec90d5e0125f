import { rescueExpired } from "@airtower/platform/work/lease";
import type { Context } from "../context.ts";
import { takeOver } from "../dispatching/take-over.ts";

/** Takes over from processes whose lease ran out; returns how many messages. */
export async function rescueDispatch(ctx: Context): Promise<number> {
	return rescueExpired(ctx.sql, ctx.lease, (sql, tokens) =>
		takeOver(ctx, sql, tokens),
	);
}
