import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutgoingMessage } from "@airtower/messaging/src/operators/operator.ts";
import { createSmppOperator } from "@airtower/messaging/src/operators/smpp-operator.ts";
import { parseSmppRoute } from "@airtower/messaging/src/operators/smpp-route.ts";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { expect, onTestFinished, test } from "vitest";
import { startControl } from "./control.ts";
import { type Smsc, type SmscOptions, startSmsc } from "./smsc.ts";

const MESSAGE: OutgoingMessage = {
	messageId: "m",
	attempt: 1,
	to: "+33612349999",
	sender: "Airtower",
	body: "Hello",
	validitySeconds: 60,
	reference: 1,
};

async function start(options: SmscOptions = {}): Promise<Smsc> {
	const smsc = await startSmsc(options);
	onTestFinished(() => smsc.close());
	return smsc;
}

async function bind(smsc: Smsc, user = "airtower") {
	const url = `smpp://${user}:${user}@127.0.0.1:${smsc.port}?window=100`;
	const operator = createSmppOperator(parseSmppRoute(url), silentLog, {
		reconnectMinMs: 20,
		reconnectMaxMs: 50,
		goodbyeMs: 200,
	});
	onTestFinished(() => operator.close());
	const receipts: string[] = [];
	await operator.start({
		onReceipt: async (receipt) => {
			receipts.push(receipt.operatorMessageId);
		},
	});
	await eventually(() => expect(operator.status().bound).toBe(true));
	return { operator, receipts };
}

test("ids are never repeated, also by a simulator that starts again at once", async () => {
	const ids = new Set<string>();
	for (let run = 0; run < 3; run++) {
		const smsc = await start();
		const { operator } = await bind(smsc);
		const submits = Array.from({ length: 200 }, () => operator.submit(MESSAGE));
		await Promise.all(submits);
		for (const entry of smsc.log.taken()) ids.add(entry.id);
	}
	expect(ids.size).toBe(600);
});

test("receipts go to the account that submitted, and to no other", async () => {
	const smsc = await start({ accounts: { one: "one", two: "two" } });
	const one = await bind(smsc, "one");
	const two = await bind(smsc, "two");
	await one.operator.submit(MESSAGE);
	await two.operator.submit(MESSAGE);
	await two.operator.submit(MESSAGE);
	await eventually(() => expect(smsc.stats.receiptsPending).toBe(0));
	expect(one.receipts).toHaveLength(1);
	expect(two.receipts).toHaveLength(2);
});

test("an account's receipts wait while it is away", async () => {
	const smsc = await start({ settings: { receiptDelayMs: 0 } });
	const before = await bind(smsc);
	await before.operator.close();
	const { operator } = await bind(smsc);
	smsc.stopAnswering();
	void operator.submit(MESSAGE);
	await eventually(() => expect(smsc.log.total).toBe(1));
	smsc.refuseBinds(0x08);
	smsc.dropConnections();
	await eventually(() => expect(smsc.stats.sessions).toBe(0));
	expect(smsc.stats.receiptsPending).toBe(1);
	smsc.resumeAnswering();
	smsc.refuseBinds(0);
	await eventually(() => expect(smsc.stats.receiptsDelivered).toBe(1));
});

test("receipts on file wait for a client through a restart", async () => {
	const folder = await mkdtemp(join(tmpdir(), "smsc-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const receiptsFile = join(folder, "receipts.jsonl");
	const first = await startSmsc({ receiptsFile });
	const { operator } = await bind(first);
	await operator.submit(MESSAGE);
	await eventually(() => expect(first.stats.receiptsDelivered).toBe(1));
	first.settings.receiptDelayMs = 3_600_000;
	await operator.submit(MESSAGE);
	first.settings.receiptDelayMs = 0;
	first.settings.receiptWindow = 0;
	await operator.submit({ ...MESSAGE, to: "+33612340008" });
	expect(first.stats.receiptsPending).toBe(3);
	await operator.close();
	await first.close();
	const second = await start({ receiptsFile });
	const after = await bind(second);
	await eventually(() => expect(second.stats.receiptsDelivered).toBe(2));
	const [, , { id } = { id: "" }] = first.log.taken();
	expect(after.receipts).toEqual([id, id]);
	expect(second.stats.receiptsPending).toBe(1);
});

test("submits above the limit are throttled", async () => {
	const smsc = await start({ settings: { submitsPerSecond: 5 } });
	const { operator } = await bind(smsc);
	const submits = Array.from({ length: 50 }, () => operator.submit(MESSAGE));
	await eventually(() => expect(smsc.stats.throttled).toBeGreaterThan(0));
	expect(smsc.stats.taken).toBeLessThanOrEqual(10);
	await operator.close();
	await Promise.all(submits);
});

test("every submit is in the file before its answer leaves", async () => {
	const folder = await mkdtemp(join(tmpdir(), "smsc-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const logFile = join(folder, "submits.jsonl");
	const smsc = await start({ logFile });
	const { operator } = await bind(smsc);
	for (let i = 1; i <= 3; i++) {
		await operator.submit({ ...MESSAGE, body: `Größe ${i}` });
		const lines = (await readFile(logFile, "utf8")).trim().split("\n");
		expect(lines).toHaveLength(i);
		expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
			destination: "33612349999",
			text: `Größe ${i}`,
			part: 1,
			total: 1,
			status: 0,
			id: smsc.log.entries.at(-1)?.id,
		});
	}
});

test("the log in memory keeps the newest and counts all", async () => {
	const smsc = await start({ logKeep: 10 });
	const { operator } = await bind(smsc);
	for (let i = 0; i < 45; i++)
		await operator.submit({ ...MESSAGE, body: String(i) });
	expect(smsc.log.total).toBe(45);
	expect(smsc.log.entries.at(-1)?.text).toBe("44");
	expect(smsc.log.entries.length).toBeLessThan(20);
	expect(smsc.log.entries[0]?.text).toBe(String(smsc.log.dropped));
});

async function control(smsc: Smsc) {
	const server: Server = await startControl(smsc, 0);
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	return async (method: string, path: string, body?: unknown) => {
		const response = await fetch(`http://127.0.0.1:${port}${path}`, {
			method,
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return { status: response.status, body: await response.json() };
	};
}

test("the control port shows the log page by page, and the figures", async () => {
	const smsc = await start();
	const { operator } = await bind(smsc);
	const call = await control(smsc);
	for (let i = 0; i < 3; i++)
		await operator.submit({ ...MESSAGE, body: String(i) });
	expect(await call("GET", "/log?from=1")).toMatchObject({
		status: 200,
		body: { total: 3, next: 3, entries: [{ text: "1" }, { text: "2" }] },
	});
	expect(await call("GET", "/log?from=3")).toMatchObject({
		body: { next: 3, entries: [] },
	});
	expect(await call("GET", "/stats")).toMatchObject({ body: { taken: 3 } });
});

test("the control port changes settings and refuses unknown ones", async () => {
	const smsc = await start();
	const call = await control(smsc);
	const patched = await call("PATCH", "/settings", { answerIds: "dec" });
	expect(patched).toMatchObject({ status: 200, body: { answerIds: "dec" } });
	expect(smsc.settings.answerIds).toBe("dec");
	expect(await call("PATCH", "/settings", { nonsense: 1 })).toMatchObject({
		status: 400,
	});
	expect(await call("GET", "/nowhere")).toMatchObject({ status: 404 });
});

test("the control port silences, drops and refuses", async () => {
	const smsc = await start();
	const { operator } = await bind(smsc);
	const call = await control(smsc);
	await call("POST", "/binds", { status: 8 });
	await call("POST", "/drop");
	await eventually(() =>
		expect(operator.status().lastError).toBe("bind failed: 0x08"),
	);
	await call("POST", "/binds", { status: 0 });
	await eventually(() => expect(operator.status().bound).toBe(true));
	await call("POST", "/silence");
	const submitted = operator.submit(MESSAGE);
	await eventually(() =>
		expect(smsc.log.entries).toMatchObject([{ answered: false }]),
	);
	await call("POST", "/resume");
	await call("POST", "/drop");
	expect((await submitted).parts).toMatchObject([{ kind: "unknown" }]);
});
