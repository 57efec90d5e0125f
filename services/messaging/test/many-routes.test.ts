import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { testDatabase } from "@airtower/platform/testing/database";
import { testEventBus } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { expect, onTestFinished, test } from "vitest";
import { readMessagingConfig } from "../src/config.ts";
import { migrations } from "../src/migrations.ts";
import { startMessaging } from "../src/service.ts";
import { createLedger } from "./support/ledger.ts";
import { createScriptedOperator } from "./support/scripted-operator.ts";
import { settingsFor } from "./support/service.ts";

/** What PostgreSQL sends when a statement is over. */
const READY = "Z\0\0\0\x05";
/** Statements of a process at rest, and the least time in which it makes so many, however many routes it has, ms. */
const STATEMENTS = 200;
const LEAST_MS = 1_000;

/** A relay to a port of 127.0.0.1 that notes when each statement was over. */
async function startCountingRelay(target: number) {
	const times: number[] = [];
	const sockets: Socket[] = [];
	const relay = createServer((near) => {
		const far = connect(target, "127.0.0.1");
		sockets.push(near, far);
		for (const socket of [near, far]) socket.on("error", () => undefined);
		let rest = "";
		far.on("data", (bytes: Buffer) => {
			const all = rest + bytes.toString("latin1");
			const statements = all.split(READY);
			rest = (statements.pop() ?? "").slice(1 - READY.length);
			for (const _ of statements) times.push(performance.now());
		});
		near.pipe(far).pipe(near);
	});
	await once(relay.listen(0, "127.0.0.1"), "listening");
	return {
		port: (relay.address() as AddressInfo).port,
		times,
		close() {
			for (const socket of sockets) socket.destroy();
			relay.close();
		},
	};
}

test("a process at rest asks the database no more often with 50 routes than with one", async () => {
	const database = await testDatabase(migrations);
	const events = await testEventBus();
	const url = new URL(database.url);
	const relay = await startCountingRelay(Number(url.port));
	url.port = String(relay.port);
	const [first, ...others] = Array.from({ length: 50 }, (_, nth) =>
		createScriptedOperator(`route${nth}`),
	);
	if (first === undefined) throw new Error("no route");
	const service = await startMessaging(
		readMessagingConfig(settingsFor(database, { DATABASE_URL: url.href })),
		{
			log: silentLog,
			bus: events.bus,
			accounts: createLedger().client,
			operators: [first, ...others],
		},
	);
	onTestFinished(async () => {
		await service.close();
		relay.close();
		await events.drop();
		await database.drop();
	});
	await eventually(() => {
		const last = relay.times.slice(-STATEMENTS);
		expect(last).toHaveLength(STATEMENTS);
		expect((last.at(-1) ?? 0) - (last[0] ?? 0)).toBeGreaterThan(LEAST_MS);
	});
});
