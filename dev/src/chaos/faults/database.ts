import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import type { Fault, Trial } from "../trial.ts";

const PAUSE_MS = 1_500;
/** PostgreSQL's own words for its ways to stop. */
const WAYS = {
	fast: "SIGINT",
	immediate: "SIGQUIT",
	killed: "SIGKILL",
} as const;
const SHORT_S = 5;
const LONG_S = 20;
/** More connections than the server allows. */
const CONNECTIONS = 220;
const HELD_MS = 4_000;

/** 8 */
export const databaseRestarted: Fault = {
	number: 8,
	name: "PostgreSQL restarted: fast, immediate, kill -9",
	act: async (trial) => {
		for (const way of trial.random.shuffled(Object.values(WAYS))) {
			// A response that cannot be recorded within its lease counts as lost.
			trial.lostWindows++;
			await trial.target.kill("postgres", way);
			await trial.target.restart("postgres");
			await delay(PAUSE_MS);
		}
		return undefined;
	},
};

/** 9 */
export const connectionsCut: Fault = {
	number: 9,
	name: "backends terminated each second, pool exhausted",
	act: async (trial) => {
		trial.lostWindows++;
		for (let left = trial.isLong ? LONG_S : SHORT_S; left > 0; left--) {
			await terminateAll(trial);
			await delay(1_000);
		}
		await exhaust(trial);
		return undefined;
	},
};

async function terminateAll({ target: { sql } }: Trial): Promise<void> {
	await sql`
		select pg_terminate_backend(pid)
		from pg_stat_activity
		where usename like 'airtower\\_%'
	`;
}

/** Takes every connection that the server has, then ends those of the services, so that none is left for them. */
async function exhaust(trial: Trial): Promise<void> {
	const hoarder = postgres(trial.target.system.adminDatabaseUrl, {
		max: CONNECTIONS,
		onnotice: () => {},
		connection: { application_name: "chaos" },
	});
	try {
		const holding = Array.from({ length: CONNECTIONS }, () =>
			hoarder`select pg_sleep(${HELD_MS / 1_000})`.catch(() => undefined),
		);
		await delay(HELD_MS / 4);
		await terminateAll(trial);
		await Promise.all(holding);
	} finally {
		await hoarder.end({ timeout: 1 });
	}
}
