import type { Context } from "../context.ts";
import { clearClosedWindows } from "../store/windows.ts";

const BATCH = 1_000;

/** Clears the mark of windows that have closed, which only makes lists fast; returns how many. */
export async function closeWindows(ctx: Context): Promise<number> {
	return clearClosedWindows(ctx.sql, BATCH);
}
