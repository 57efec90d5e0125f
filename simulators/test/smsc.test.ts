import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { startControl } from "../src/smsc/control.ts";
import { type Smsc, startSmsc } from "../src/smsc/smsc.ts";
import type { SmscOptions } from "../src/smsc/smsc-options.ts";
import { bindTo, connectTo } from "./support/smpp-client.ts";

async function start(options: SmscOptions = {}): Promise<Smsc> {
	const smsc = await startSmsc(options);
	onTestFinished(() => smsc.close());
	return smsc;
}

async function newFile(name: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "smsc-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return join(folder, name);
}

test("ids are never repeated, also by a simulator that starts again at once", async () => {
	const ids = new Set<unknown>();
	for (let run = 0; run < 3; run++) {
		const client = await bindTo(await start());
		const submits = Array.from({ length: 200 }, () => client.submit());
		for (const { message_id } of await Promise.all(submits))
			ids.add(message_id);
	}
	expect(ids.size).toBe(600);
});

test("ids count from 1 whenever it is told so, and each message gets its own receipt", async () => {
	const smsc = await start({ settings: { answerIds: "dec" } });
	const client = await bindTo(smsc);
	for (let run = 0; run < 2; run++) {
		smsc.countAnew();
		expect(await client.submit()).toMatchObject({ message_id: "1" });
		expect(await client.submit()).toMatchObject({ message_id: "2" });
	}
	await eventually(() => expect(client.receipts).toHaveLength(4));
});

test("receipts go to the account that submitted, and to no other", async () => {
	const smsc = await start({ accounts: { one: "one", two: "two" } });
	const one = await bindTo(smsc, "one");
	const two = await bindTo(smsc, "two");
	await one.submit();
	await two.submit();
	await two.submit();
	await eventually(() => expect(smsc.stats.receiptsPending).toBe(0));
	expect(one.receipts).toHaveLength(1);
	expect(two.receipts).toHaveLength(2);
});

test("an account's receipts wait while it is away", async () => {
	const smsc = await start({ settings: { receiptDelayMs: 0 } });
	const client = await bindTo(smsc);
	smsc.silence();
	void client.submit();
	await eventually(() => expect(smsc.log.total).toBe(1));
	smsc.dropConnections();
	await eventually(() => expect(smsc.stats.sessions).toBe(0));
	expect(smsc.stats.receiptsPending).toBe(1);
	smsc.resume();
	await bindTo(smsc);
	await eventually(() => expect(smsc.stats.receiptsDelivered).toBe(1));
});

test("a receipt that a client refuses, or leaves with its session, comes again", async () => {
	const smsc = await start({
		settings: { receiptDelayMs: 0, redeliverMs: 10 },
	});
	const refusing = await connectTo(smsc);
	refusing.session.removeAllListeners("deliver_sm");
	refusing.session.once("deliver_sm", (pdu) => {
		refusing.session.send(pdu.response({ command_status: 0x64 }));
		refusing.session.once("deliver_sm", () => smsc.dropConnections());
	});
	const account = { system_id: "airtower", password: "airtower" };
	await refusing.request("bind_transceiver", account);
	await refusing.submit();
	await once(refusing.session, "close");
	expect(smsc.stats.receiptsDelivered).toBe(0);
	const client = await bindTo(smsc);
	await eventually(() => expect(smsc.stats.receiptsDelivered).toBe(1));
	expect(client.receipts).toHaveLength(1);
});

test("receipts on file wait for a client through a restart", async () => {
	const receiptsFile = await newFile("receipts.jsonl");
	const first = await startSmsc({ receiptsFile });
	const before = await bindTo(first);
	await before.submit();
	await eventually(() => expect(first.stats.receiptsDelivered).toBe(1));
	first.settings.receiptDelayMs = 3_600_000;
	await before.submit();
	first.settings.receiptDelayMs = 0;
	first.settings.receiptWindow = 0;
	const { message_id } = await before.submit({
		destination_addr: "33612340008",
	});
	expect(first.stats.receiptsPending).toBe(3);
	await first.close();
	const second = await start({ receiptsFile });
	const after = await bindTo(second);
	await eventually(() => expect(second.stats.receiptsDelivered).toBe(2));
	expect(after.receipts).toEqual([message_id, message_id]);
	expect(second.stats.receiptsPending).toBe(1);
});

test("submits above the limit are throttled", async () => {
	const smsc = await start({ settings: { submitsPerSecond: 5 } });
	const client = await bindTo(smsc);
	const submits = Array.from({ length: 50 }, () => client.submit());
	const statuses = (await Promise.all(submits)).map(
		({ command_status }) => command_status,
	);
	expect(new Set(statuses)).toEqual(new Set([0, 0x58]));
	expect(smsc.stats.throttled).toBeGreaterThan(0);
	expect(smsc.stats.taken).toBeLessThanOrEqual(10);
});

test("every submit is in the file before its response leaves", async () => {
	const logFile = await newFile("submits.jsonl");
	const smsc = await start({ logFile });
	const client = await bindTo(smsc);
	// "Größe " in GSM 03.38, written by hand.
	const octets = Buffer.from([0x47, 0x72, 0x7c, 0x1e, 0x65, 0x20]);
	for (let i = 1; i <= 3; i++) {
		const short_message = Buffer.concat([octets, Buffer.from(String(i))]);
		const { message_id } = await client.submit({ short_message });
		const lines = (await readFile(logFile, "utf8")).trim().split("\n");
		expect(lines).toHaveLength(i);
		expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
			destination: "33612349999",
			text: `Größe ${i}`,
			part: 1,
			total: 1,
			status: 0,
			id: message_id,
		});
	}
});

test("the parts of a long message are logged with their places and texts", async () => {
	const smsc = await start();
	const client = await bindTo(smsc);
	await client.submit({
		esm_class: 0x40,
		data_coding: 8,
		short_message: Buffer.from("050003070201d83ddc4b", "hex"),
	});
	await client.submit({
		short_message: Buffer.from([0x1b, 0x65]),
		sar_msg_ref_num: 7,
		sar_total_segments: 2,
		sar_segment_seqnum: 2,
	});
	expect(smsc.log.entries).toMatchObject([
		{ part: 1, total: 2, reference: 7, text: "👋", dataCoding: 8 },
		{ part: 2, total: 2, reference: 7, text: "€", dataCoding: 0 },
	]);
});

test("the log in memory keeps the newest and counts all", async () => {
	const smsc = await start({ logKeep: 10 });
	const client = await bindTo(smsc);
	for (let i = 0; i < 45; i++)
		await client.submit({ short_message: Buffer.from(String(i)) });
	expect(smsc.log.total).toBe(45);
	expect(smsc.log.entries.at(-1)?.text).toBe("44");
	expect(smsc.log.entries.length).toBeLessThan(20);
	expect(smsc.log.entries[0]?.text).toBe(String(smsc.log.dropped));
});

async function control(smsc: Smsc) {
	const app = await startControl(smsc, 0);
	onTestFinished(() => app.close());
	return async (method: string, path: string, body?: unknown) => {
		const response = await fetch(`${app.listeningOrigin}${path}`, {
			method,
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return { status: response.status, body: await response.json() };
	};
}

test("the control port shows the log page by page, and the figures", async () => {
	const smsc = await start();
	const client = await bindTo(smsc);
	const call = await control(smsc);
	for (let i = 0; i < 3; i++)
		await client.submit({ short_message: Buffer.from(String(i)) });
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
	expect(await call("GET", "/nowhere")).toMatchObject({
		status: 404,
		body: { routes: expect.arrayContaining(["GET /stats", "POST /drop"]) },
	});
});

test("the control port silences, drops and refuses", async () => {
	const smsc = await start();
	const client = await bindTo(smsc);
	const call = await control(smsc);
	await call("POST", "/binds", { status: 8 });
	await expect(bindTo(smsc)).rejects.toThrow("bind failed: 8");
	await call("POST", "/binds", { status: 0 });
	await bindTo(smsc);
	await call("POST", "/silence");
	void client.submit();
	await eventually(() =>
		expect(smsc.log.entries).toMatchObject([{ answered: false }]),
	);
	await call("POST", "/resume");
	const closed = once(client.session, "close");
	await call("POST", "/drop");
	await closed;
});
