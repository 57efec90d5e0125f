import { isDataError } from "@airtower/platform/database/sql-errors";
import { inHalves } from "@airtower/platform/work/micro-batcher";
import type { Context } from "../context.ts";
import type { WaitingLine } from "../request-log.ts";
import {
	deleteOldRequests,
	deleteRequestsBeyond,
	insertRequests,
} from "../store/requests.ts";

/** Lines of one statement. */
const LINES = 5_000;
const KEPT_DAYS = 7;
/** Of one organization, of those that were refused and of the others each. */
const KEPT_LINES = 100_000;
/** Lines of one organization and kind that are stored until its oldest ones are looked at. */
const LOOK_AFTER = 5_000;
const DELETED_AT_ONCE = 10_000;

type StoreContext = Pick<Context, "sql" | "log" | "requestLog">;

/** Stores what waits, and deletes what an organization has beyond its bound; returns 0 unless there may be more. */
export async function storeRequests(
	ctx: StoreContext,
	keep = KEPT_LINES,
): Promise<number> {
	const { sql, requestLog } = ctx;
	const lines = requestLog.peek(LINES);
	if (lines.length === 0) return 0;
	await inHalves(lines, (half) => store(ctx, half));
	const due = requestLog.drop(lines.length, Math.min(LOOK_AFTER, keep));
	for (const { organizationId, refused } of due)
		await deleteRequestsBeyond(
			sql,
			organizationId,
			{ refused, keep },
			DELETED_AT_ONCE,
		);
	return lines.length === LINES ? LINES : 0;
}

/** Stores what is left when the process ends, if the database takes it. */
export async function storeLastRequests(ctx: StoreContext): Promise<void> {
	try {
		while ((await storeRequests(ctx)) > 0);
	} catch (err) {
		ctx.log.warn({ err }, "the last lines of the request log are lost");
	}
}

/** A line that the database refuses for its content is let go: it would hold back all others. */
async function store(
	{ sql, log }: StoreContext,
	lines: readonly WaitingLine[],
): Promise<readonly undefined[] | undefined> {
	try {
		await insertRequests(sql, lines);
	} catch (err) {
		if (!isDataError(err)) throw err;
		if (lines.length > 1) return undefined;
		log.error({ err }, "a line of the request log could not be stored");
	}
	return lines.map(() => undefined);
}

/** Deletes lines of more than seven days ago; returns 0 unless there may be more. */
export async function deleteOldLines({
	sql,
}: Pick<Context, "sql">): Promise<number> {
	const deleted = await deleteOldRequests(sql, KEPT_DAYS, DELETED_AT_ONCE);
	return deleted === DELETED_AT_ONCE ? deleted : 0;
}
