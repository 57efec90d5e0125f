import { freePort } from "@airtower/platform/runtime/ports";
import type { RunningService } from "@airtower/platform/service/create-service";
import { testDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { expect, onTestFinished, test } from "vitest";
import { readMessagingConfig } from "../src/config.ts";
import { migrations } from "../src/migrations.ts";
import { startMessaging } from "../src/service.ts";
import { createLedger } from "./support/ledger.ts";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import { settingsFor } from "./support/service.ts";

const CALLS = 200;
const CALLERS = 8;

/** Processes that accept, behind one name: the same port of several addresses. */
async function startReplicas(count: number) {
	const database = await testDatabase(migrations);
	onTestFinished(() => database.drop());
	const ledger = createLedger();
	const port = String(await freePort());
	const hosts = Array.from({ length: count }, (_, nth) => `127.0.0.${nth + 1}`);
	const replicas: RunningService[] = [];
	for (const host of hosts) {
		const env = settingsFor(database, {
			MESSAGING_ROLE: "accept",
			RPC_HOST: host,
			RPC_PORT: port,
		});
		const replica = await startMessaging(readMessagingConfig(env), {
			log: silentLog,
			accounts: ledger.client,
		});
		onTestFinished(replica.close);
		replicas.push(replica);
	}
	const client = testRpcClient({
		service: MessagingService,
		baseUrl: `http://messaging.internal:${port}`,
		audience: "messaging",
		resolve: async () => hosts,
	});
	return { database, ledger, replicas, client };
}

/** How many batches of messages a process was given. */
async function callsOf({ opsPort }: RunningService): Promise<number> {
	const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
	const [, calls = "0"] =
		/^rpc_server_calls_total\{.*SendMessages.*\} (\d+)$/m.exec(
			await response.text(),
		) ?? [];
	return Number(calls);
}

test.each([1, 2, 4])(
	"%i processes that accept get the same share of calls, within a fifth, and store each message once",
	async (count) => {
		const { database, ledger, replicas, client } = await startReplicas(count);
		const { sql } = database;
		const organization = await organizationWith({ sql, ledger }, CALLS);
		const ids = new Set<string>();
		let left = CALLS;
		const send = async () => {
			while (left-- > 0) {
				const messages = [messageTo(organization)];
				const { results } = await client.sendMessages({ messages });
				ids.add(acceptedOf(results[0]).messageId);
			}
		};
		await Promise.all(Array.from({ length: CALLERS }, send));
		await eventually(async () => {
			const calls = await Promise.all(replicas.map(callsOf));
			expect(calls.reduce((sum, one) => sum + one, 0)).toBe(CALLS);
			expect(Math.min(...calls)).toBeGreaterThanOrEqual((CALLS / count) * 0.8);
			expect(Math.max(...calls)).toBeLessThanOrEqual((CALLS / count) * 1.2);
		});
		const stored = await sql<{ id: string }[]>`select id from messages`;
		expect(new Set(stored.map(({ id }) => id))).toEqual(ids);
		expect(ids.size).toBe(CALLS);
		expect(ledger.balances.get(organization)).toBe(0);
	},
);
