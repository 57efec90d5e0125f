import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
	setTimeout as delay,
	setImmediate as turn,
} from "node:timers/promises";
import postgres from "postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
	columns,
	failed,
	ready,
	refusesWrites,
	row,
	startFakePostgres,
} from "./fake-postgres.ts";

/** Each test fails without its hunk of the patch: most of them hang, so they end soon. */
const TIMEOUT_MS = 10_000;

const CLOSED = { code: "CONNECTION_CLOSED" };

function connect(port: number, options: postgres.Options<never> = {}) {
	const sql = postgres({
		host: "127.0.0.1",
		port,
		max: 1,
		fetch_types: false,
		...options,
	});
	onTestFinished(() => sql.end({ timeout: 0 }));
	return sql;
}

describe("a connection that closes", { timeout: TIMEOUT_MS }, () => {
	test("fails a late statement of a transaction that is over, and does not end the process", async () => {
		const server = await startFakePostgres((_statement, to) => to.respond());
		const closed = Promise.withResolvers<number>();
		const sql = connect(server.port, { onclose: closed.resolve });
		const over = Promise.withResolvers<postgres.TransactionSql>();
		await sql.begin(async (sql) => over.resolve(sql));
		await sql.begin(async () => undefined);
		server.conversations[0]?.breakOff();
		await closed.promise;
		const late = await over.promise;
		await expect(late`select 1`).rejects.toMatchObject({
			code: "TRANSACTION_OVER",
		});
	});

	test("leaves none of its rows in the next response", async () => {
		const server = await startFakePostgres((_statement, to) => {
			if (to.nth === 1) to.breakOff(columns, row("lost"));
			else to.respond("whole");
		});
		const sql = connect(server.port);
		await expect(sql`select 1`).rejects.toMatchObject(CLOSED);
		expect(await sql`select 2`).toEqual([{ value: "whole" }]);
	});

	test("serves again after a statement came in the moment of its end", async () => {
		const server = await startFakePostgres((statement, to) => {
			if (statement !== "cut") return to.respond("whole");
			for (const one of server.conversations) if (one !== to) one.breakOff();
			to.breakOff();
		});
		const sql = connect(server.port, { max: 2 });
		const both = () => Promise.all([sql`select 1`, sql`select 2`]);
		await both();
		const again = sql`cut`.catch(() => sql`select 3`);
		await expect(again).rejects.toMatchObject(CLOSED);
		expect(await both()).toEqual([[{ value: "whole" }], [{ value: "whole" }]]);
	});

	test("while it is opened does not fail the statement that waits for it", async () => {
		const server = await startFakePostgres((_statement, to) => {
			if (to.nth === 1) to.breakOff(failed);
			else to.respond();
		});
		const sql = connect(server.port, { fetch_types: true });
		expect(await sql`select 1`).toEqual([]);
	});

	test("while it is opened is dialled again ever more rarely", async () => {
		let dials = 0;
		const refusing = createServer((socket) => {
			dials++;
			socket.destroy();
		});
		await once(refusing.listen(0, "127.0.0.1"), "listening");
		onTestFinished(() => void refusing.close());
		const { port } = refusing.address() as AddressInfo;
		const sql = connect(port, { backoff: (retries) => retries / 10 });
		const query = sql`select 1`.catch((error: unknown) => error);
		await delay(2_000);
		// After 0.1, 0.3, 0.6, 1 and 1.5 s, and some more on a machine that stalls; without a pause about 480.
		expect(dials).toBeLessThan(20);
		await sql.end({ timeout: 0 });
		expect(await query).toMatchObject({ code: "CONNECTION_DESTROYED" });
	});

	test("fails a statement that came between its error and its end", async () => {
		const server = await startFakePostgres((statement, to) => {
			if (statement === "cut") to.socket.resetAndDestroy();
			else to.respond("other");
		});
		const sql = connect(server.port);
		await sql`select 1`;
		const next = sql`cut`.catch(() => sql`select 2`);
		await expect(next).rejects.toMatchObject(CLOSED);
	});

	test("leaves its error to its own statement", async () => {
		const server = await startFakePostgres((_statement, to) => {
			if (to.nth === 1) to.breakOff(failed);
			else to.respond("whole");
		});
		const sql = connect(server.port);
		await expect(sql`select 1`).rejects.toMatchObject(CLOSED);
		expect(await sql`select 2`).toEqual([{ value: "whole" }]);
	});
});

test("a session that takes no writes is ended: the next one may reach a server that does", {
	timeout: TIMEOUT_MS,
}, async () => {
	const readOnly = { code: "25006" };
	const server = await startFakePostgres((statement, to) => {
		const isWrite = statement.startsWith("insert");
		if (isWrite && to.nth === 1) to.socket.write(refusesWrites);
		else to.respond(String(to.nth));
	});
	const sql = connect(server.port);
	const write = () => sql`insert`;
	await expect(write()).rejects.toMatchObject(readOnly);
	expect(await sql`select 1`).toEqual([{ value: "1" }]);
	// Sessions just opened stay: a server without writes is not dialled for each statement.
	await delay(1_100);
	await expect(write()).rejects.toMatchObject(readOnly);
	expect(await write()).toEqual([{ value: "2" }]);
});

test("a look-up of types that fails does not end the process", async () => {
	const onUnhandled = vi.fn();
	process.on("unhandledRejection", onUnhandled);
	onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
	const server = await startFakePostgres((_statement, { socket }) => {
		socket.write(Buffer.concat([failed, ready]));
	});
	const sql = connect(server.port, { fetch_types: true });
	await expect(sql`select 1`).rejects.toMatchObject({ code: "57P01" });
	await turn();
	expect(onUnhandled).not.toHaveBeenCalled();
});

describe("a transaction whose connection is lost", {
	timeout: TIMEOUT_MS,
}, () => {
	test("fails the statements that waited in it", async () => {
		const server = await startFakePostgres((statement, to) => {
			if (statement.includes("$1")) to.breakOff();
			else to.respond();
		});
		const sql = connect(server.port);
		const waiting = Promise.withResolvers<unknown>();
		const lost = sql.begin(async (sql) => {
			const both = [sql`select ${1}`, sql`select 2`];
			const results = await Promise.allSettled(both);
			waiting.resolve(results.map(({ status }) => status));
		});
		await expect(lost).rejects.toMatchObject(CLOSED);
		expect(await waiting.promise).toEqual(["rejected", "rejected"]);
	});

	test("runs no later statement of it outside of it", async () => {
		const server = await startFakePostgres((statement, to) => {
			if (statement === "cut") to.breakOff();
			else to.respond();
		});
		const sql = connect(server.port);
		const late = Promise.withResolvers<unknown>();
		const lost = sql.begin(async (held) => {
			await held`cut`.catch(() => undefined);
			await sql`select 1`;
			late.resolve(await held`delete`.catch((error: unknown) => error));
		});
		await expect(lost).rejects.toMatchObject(CLOSED);
		expect(await late.promise).toMatchObject(CLOSED);
		expect(server.statements).not.toContain("delete");
	});
});

describe("a transaction that is over", { timeout: TIMEOUT_MS }, () => {
	test("refuses later statements, which would commit by themselves", async () => {
		const server = await startFakePostgres((_statement, to) => to.respond());
		const sql = connect(server.port);
		const handles: postgres.TransactionSql[] = [];
		await sql.begin(async (sql) => handles.push(sql));
		const failure = new Error("no");
		const late: Promise<unknown>[] = [];
		const failed = sql.begin(async (sql) => {
			handles.push(sql);
			queueMicrotask(async () => {
				for (let turn = 0; turn < 6; turn++) {
					late.push(sql`insert`.catch((error: unknown) => error));
					await undefined;
				}
			});
			throw failure;
		});
		await expect(failed).rejects.toBe(failure);
		for (const handle of handles)
			await expect(handle`insert`).rejects.toMatchObject({
				code: "TRANSACTION_OVER",
			});
		await Promise.all(late);
		const end = server.statements.lastIndexOf("rollback");
		expect(server.statements.slice(end + 1)).toEqual([]);
	});
});
