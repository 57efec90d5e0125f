import { monitorEventLoopDelay } from "node:perf_hooks";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import type { SmscSettings } from "@airtower/simulators/smsc/settings";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished } from "vitest";
import { migrations } from "../../src/migrations.ts";
import { startLedgerServer } from "../support/ledger-server.ts";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "../support/messaging.ts";
import { type MessagingProcess, startProcess } from "../support/process.ts";

/** A route with 4 binds, processes that deliver on it, and one that accepts. */
interface BindWorld {
	readonly smsc: Smsc;
	readonly database: TestDatabase;
	/** Starts a process that delivers. */
	deliver(): Promise<MessagingProcess>;
	/** Has messages accepted, each with a text of its own. */
	accept(count: number): Promise<void>;
	/** How many binds each process that has some holds, the most first. */
	shares(): Promise<number[]>;
	/** Resolves once the operator has the binds, and each process its share. */
	shared(...shares: number[]): Promise<void>;
	/** Resolves once every message was delivered, or lost two responses and is over. */
	ended(): Promise<Ends>;
	/** The most submits in any second, counted by the operator, less what came together while it stood still itself. */
	submitsPerSecond(rate: number): number;
}

interface Ends {
	/** How often the operator took a message once more. */
	readonly extra: number;
	/** Messages that say that it may have. */
	readonly marked: number;
	/** Of these, messages whose second submit had no response either: nobody sends them again. */
	readonly expired: number;
}

export const BINDS = 4;
export const WINDOW = 5;
const QUOTA = 100_000;
const BATCH = 500;
/** The clocks of the processes and the sockets between them. */
const JITTER_MS = 100;
/** An unknown message that does not go again is over after so long. */
const UNKNOWN_DEADLINE_S = "30";
/** From here on no number has a behaviour of its own at the simulator. */
const FIRST_NUMBER = 33_612_341_000;

export async function startBindWorld(
	rate: number,
	settings: Partial<SmscSettings>,
): Promise<BindWorld> {
	const stalls = monitorEventLoopDelay({ resolution: 10 });
	stalls.enable();
	const database = await testDatabase(migrations);
	const accounts = await startLedgerServer();
	const smsc = await startSmsc({ settings });
	const processes: MessagingProcess[] = [];
	onTestFinished(async () => {
		for (const one of processes) one.signal("SIGKILL");
		await Promise.all(processes.map(({ ended }) => ended));
		stalls.disable();
		await Promise.all([smsc.close(), accounts.close()]);
		await database.drop();
	});
	const route = `window=${WINDOW}&binds=${BINDS}&rate=${rate}&ids=hex`;
	const start = async (role: "all" | "accept") => {
		const one = await startProcess(database, {
			MESSAGING_ROLE: role,
			ACCOUNTS_RPC_URL: accounts.url,
			SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?${route}`,
			UNKNOWN_WAIT_S: "1",
			UNKNOWN_DEADLINE_S,
		});
		processes.push(one);
		return one;
	};
	const accepting = await start("accept");
	const { sql } = database;
	const { ledger } = accounts;
	const organization = await organizationWith({ sql, ledger }, QUOTA);
	let accepted = 0;

	async function accept(count: number): Promise<void> {
		const messages = Array.from({ length: Math.min(count, BATCH) }, () =>
			messageTo(organization, {
				to: `+${FIRST_NUMBER + accepted}`,
				body: `message ${accepted++}`,
			}),
		);
		const { results } = await accepting.messaging.sendMessages({ messages });
		for (const result of results) acceptedOf(result);
		if (count > BATCH) await accept(count - BATCH);
	}

	async function shares(): Promise<number[]> {
		const rows = await sql<{ count: number }[]>`
			select count(*)
			from bind_slots
			where token is not null
			group by token
			order by 1 desc
		`;
		return rows.map(({ count }) => count);
	}

	async function ended(): Promise<Ends> {
		await eventually(
			async () => {
				const open = await sql`
					select id, status, reason, attempts, possible_duplicate
					from messages
					where status <> 'delivered'
					and not (reason = 'expired' and possible_duplicate)
					limit 10
				`;
				expect([...open]).toEqual([]);
			},
			{ timeoutMs: 90_000 },
		);
		const [row] = await sql<[{ all: number } & Omit<Ends, "extra">]>`
			select
				count(*) as all,
				count(*) filter (where possible_duplicate) as marked,
				count(*) filter (where status = 'failed') as expired
			from messages
		`;
		const { all, ...counts } = row;
		expect(all).toBe(accepted);
		const texts = smsc.log.taken().map(({ text }) => text);
		expect(new Set(texts).size).toBe(accepted);
		return { ...counts, extra: texts.length - accepted };
	}

	return {
		smsc,
		database,
		deliver: () => start("all"),
		accept,
		shares,
		shared: (...expected) =>
			eventually(
				async () => {
					expect(await shares()).toEqual(expected);
					expect(smsc.stats.sessions).toBe(BINDS);
				},
				{ timeoutMs: 30_000 },
			),
		ended,
		submitsPerSecond: (rate) => {
			const times = smsc.log.entries.map(({ at }) => at);
			const stalledMs = stalls.max / 1e6 + JITTER_MS;
			return mostWithin(times, 1_000) - (rate * stalledMs) / 1_000;
		},
	};
}

function mostWithin(times: readonly number[], ms: number): number {
	let [first, most] = [0, 0];
	for (const [at, time] of times.entries()) {
		while (time - (times[first] ?? time) >= ms) first++;
		most = Math.max(most, at - first + 1);
	}
	return most;
}
