import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { keyRingText } from "@airtower/platform/testing/keys";
import type { SmscSettings } from "@airtower/simulators/smsc/settings";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished } from "vitest";
import { migrations } from "../../src/migrations.ts";
import { startLedgerServer } from "./ledger-server.ts";
import { acceptedOf, messageTo, organizationWith } from "./messaging.ts";
import { type MessagingProcess, startProcess } from "./process.ts";

/** Processes of the service that share a table of routes, and the operators that these lead to. */
export interface RouteWorld {
	readonly database: TestDatabase;
	/** The process that accepts; another one beside it delivers, or several. */
	readonly accepting: MessagingProcess;
	readonly organization: string;
	/** By the codes of their routes; the first one's route is there from the start. */
	readonly smscs: Readonly<Record<string, Smsc>>;
	/** Starts another process that delivers. */
	deliver(env: Readonly<Record<string, string>>): Promise<MessagingProcess>;
	/** Settings of a route to an operator. */
	settingsTo(code: string): { address: string; password: string; ids: string };
	/** Has messages accepted, none refused; returns their ids. */
	accept(count: number): Promise<string[]>;
	/** Resolves once all messages that were accepted are delivered. */
	delivered(timeoutMs?: number): Promise<void>;
}

export const GENEROUS = { timeoutMs: 20_000 } as const;
const QUOTA = 100_000;
/** Longer than a busy machine lets a process stand still: a lost lease would move binds. */
const DISPATCH_LEASE_MS = "60000";
/** None of these numbers has a behaviour of its own at the simulator. */
const FIRST_NUMBER = 33_612_341_000;
const NUMBERS = 9_000;

/** @param codes of the operators */
export async function startRouteWorld(
	codes: readonly [string, ...string[]],
	deliveringProcesses: number,
	settings: Partial<SmscSettings> = {},
): Promise<RouteWorld> {
	const database = await testDatabase(migrations);
	const accounts = await startLedgerServer();
	const started = await Promise.all(
		codes.map(async (code) => [code, await startSmsc({ settings })] as const),
	);
	const smscs = Object.fromEntries(started);
	const processes: MessagingProcess[] = [];
	onTestFinished(async () => {
		for (const one of processes) one.signal("SIGKILL");
		await Promise.all(processes.map(({ ended }) => ended));
		await Promise.all(started.map(([, smsc]) => smsc.close()));
		await accounts.close();
		await database.drop();
	});
	const ring = keyRingText();
	const [first] = codes;
	const settingsTo = (code: string) => ({
		address: `smpp://airtower@127.0.0.1:${smscs[code]?.port}`,
		password: "airtower",
		ids: "hex",
	});
	const seedUrl = `smpp://airtower:airtower@127.0.0.1:${smscs[first]?.port}?code=${first}&ids=hex`;
	const start = async (
		role: "all" | "accept",
		env: Readonly<Record<string, string>> = {},
	) => {
		const one = await startProcess(database, {
			MESSAGING_ROLE: role,
			ACCOUNTS_RPC_URL: accounts.url,
			ENCRYPTION_KEYS: ring,
			DISPATCH_LEASE_MS,
			SMPP_ROUTE_URL: seedUrl,
			...env,
		});
		processes.push(one);
		return one;
	};
	const accepting = await start("accept");
	await Promise.all(
		Array.from({ length: deliveringProcesses }, () => start("all")),
	);
	const { ledger } = accounts;
	const organization = await organizationWith(
		{ sql: database.sql, ledger },
		QUOTA,
	);
	let accepted = 0;

	return {
		database,
		accepting,
		organization,
		smscs,
		deliver: (env) => start("all", env),
		settingsTo,
		async accept(count) {
			const messages = Array.from({ length: count }, () =>
				messageTo(organization, {
					to: `+${FIRST_NUMBER + (accepted % NUMBERS)}`,
					body: `message ${accepted++}`,
				}),
			);
			const { results } = await accepting.messaging.sendMessages({ messages });
			return results.map((result) => acceptedOf(result).messageId);
		},
		delivered: (timeoutMs = 60_000) =>
			eventually(
				async () => {
					const open = await database.sql`
						select route, status, reason, count(*)
						from messages
						where status <> 'delivered'
						group by route, status, reason
					`;
					expect([...open]).toEqual([]);
				},
				{ timeoutMs },
			),
	};
}
