import type postgres from "postgres";
import type { Logger } from "../runtime/log.ts";
import { type Db, type Tx, transaction } from "./database.ts";

/** Moves back by so much, ms, what waits for a time of the database's clock. */
type MoveBack = (sql: Tx, stepMs: number) => Promise<unknown>;

/** Between two looks at the clock, ms: what waits may wait so much longer after a step back. */
export const FOLLOW_CLOCK_EVERY_MS = 2_000;
/** A smaller step moves nothing, ms. */
const SMALLEST_STEP_MS = 1_000;

/**
 * When the database's clock has stepped back, what was due would wait until it is as late as before: it is moved back
 * with the clock, once, whichever process sees the step first. Returns 0: the next look is due in its time.
 */
export async function followClock(
	{ sql, log }: { readonly sql: Db; readonly log: Logger },
	moveBack: MoveBack,
): Promise<number> {
	const stepMs = await transaction(sql, async (sql) => {
		const smallest = sql`${SMALLEST_STEP_MS} * interval '1 millisecond'`;
		const [seen] = await sql<{ aheadMs: number }[]>`
			update database_clock
			set seen_at = clock_timestamp()
			where seen_at > clock_timestamp() + ${smallest}
			or seen_at < clock_timestamp() - ${smallest}
			returning extract(epoch from old.seen_at - new.seen_at)::float8 * 1000 as "aheadMs"
		`;
		const stepMs = Math.max(0, seen?.aheadMs ?? 0);
		if (stepMs > 0) await moveBack(sql, stepMs);
		return stepMs;
	});
	if (stepMs > 0)
		log.warn(
			{ stepMs: Math.round(stepMs) },
			"the database's clock has stepped back; what waits was moved with it",
		);
	return 0;
}

/** For tables whose rows wait for their `due_at`, claimed rows among them: they may have to wait again. */
export async function moveDueBack(
	sql: Tx,
	table: string,
	stepMs: number,
	where: postgres.Fragment = sql`true`,
): Promise<void> {
	await sql`
		update ${sql(table)}
		set due_at = due_at - ${stepMs} * interval '1 millisecond'
		where due_at > now()
		and ${where}
	`;
}
