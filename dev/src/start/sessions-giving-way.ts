import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { giveWay } from "../give-way.ts";
import type { Stoppable } from "./teardown.ts";

/** Name under which the process of messaging that delivers is known to PostgreSQL. */
export const DELIVERY_SESSIONS = "messaging-delivery";
/** Services whose sessions only do what no request waits for. */
const GIVING_WAY = [DELIVERY_SESSIONS, "webhooks"];
/** And all that the event bus does in the database. */
const BUS_SESSIONS = "%-bus";
/** A pool opens sessions when it needs them, and replaces them now and then. */
const LOOK_EVERY_MS = 1_000;

/**
 * Keeps the sessions of processes that give way giving way as well: PostgreSQL runs each in a process of
 * its own, which knows nothing of the priority of its client. For a server on this machine only.
 */
export function keepSessionsGivingWay(adminUrl: string): Stoppable {
	const sql = postgres(adminUrl, {
		max: 1,
		onnotice: () => {},
		connection: { application_name: "airtower-start" },
	});
	const stop = new AbortController();
	const done = keepLooking(sql, stop.signal);
	return {
		stage: "outside",
		async stop() {
			stop.abort();
			await done;
			await sql.end({ timeout: 0 });
		},
	};
}

async function keepLooking(
	sql: postgres.Sql,
	signal: AbortSignal,
): Promise<void> {
	let known: ReadonlySet<number> = new Set();
	while (!signal.aborted) {
		// While the server is away there is nobody to look for.
		const pids = await findSessions(sql).catch(() => []);
		// A stop does not wait for all of them: an ordinary user's take a tenth of a second each.
		for (const pid of pids)
			if (!known.has(pid) && !signal.aborted) await giveWay(pid);
		known = new Set(pids);
		await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
	}
}

async function findSessions(sql: postgres.Sql): Promise<number[]> {
	const rows = await sql<{ pid: number }[]>`
		select pid from pg_stat_activity
		where application_name = any (${GIVING_WAY}) or application_name like ${BUS_SESSIONS}
	`;
	return rows.map(({ pid }) => pid);
}
