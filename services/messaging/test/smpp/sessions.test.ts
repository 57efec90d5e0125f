import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished, test } from "vitest";
import { parseSmppRoute } from "../../src/operators/route/smpp-route.ts";
import { createSmppOperator } from "../../src/operators/smpp-operator.ts";
import { bound, holdAll, startRoute } from "./route.ts";

test("a route keeps as many binds as it is told, and uses them all", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "binds=3&window=2",
		smsc: { settings: { answerDelayMs: 30 } },
	});
	expect(operator.capacity()).toBe(6);
	await Promise.all(Array.from({ length: 12 }, () => submit()));
	expect(smsc.stats).toMatchObject({
		sessions: 3,
		taken: 12,
		peakUnanswered: 2,
	});
});

test("a pair is a transmitter and a receiver", async () => {
	const { operator, submit, smsc, receipts } = await startRoute({
		query: "mode=pair&binds=2&window=5",
	});
	expect(operator.status()).toMatchObject({ binds: 4, bindsWanted: 4 });
	expect(operator.capacity()).toBe(10);
	await Promise.all(Array.from({ length: 10 }, () => submit()));
	await eventually(() => expect(receipts).toHaveLength(10));
	expect(smsc.stats.sessions).toBe(4);
});

test("a dropped connection is made again by itself", async () => {
	const { operator, submit, smsc } = await startRoute({ query: "binds=2" });
	for (let i = 1; i <= 3; i++) {
		smsc.dropConnections();
		await eventually(() => expect(smsc.stats.binds).toBe(2 + 2 * i));
		await bound(operator);
		expect((await submit())[0]?.kind).toBe("accepted");
	}
});

test("an operator that is not there yet is bound once it is", async () => {
	const first = await startSmsc();
	const { port } = first;
	await first.close();
	const url = `smpp://airtower:airtower@127.0.0.1:${port}`;
	const operator = createSmppOperator(parseSmppRoute(url), silentLog, {
		reconnectMinMs: 20,
		reconnectMaxMs: 50,
	});
	onTestFinished(() => operator.close());
	operator.start({ onReceipt: async () => {}, onMessage: async () => {} });
	holdAll(operator);
	await eventually(() => expect(operator.status().lastError).toBeDefined());
	expect(operator.status().lastError).toContain("ECONNREFUSED");
	const second = await startSmsc({ port });
	onTestFinished(() => second.close());
	await bound(operator);
	expect(operator.status().lastError).toBeUndefined();
});

test.each([0x0d, 0x0e, 0x0f, 0x53])(
	"a bind refused with %i is an alarm, and no bind of the route tries again for a long while",
	async (bindStatus) => {
		const { operator, smsc, logs } = await startRoute({
			query: "binds=3",
			waitForBind: false,
			bindStatus,
			limits: { refusedRetryMs: 500, takenMs: 0 },
		});
		const started = performance.now();
		await eventually(() => expect(smsc.stats.binds).toBe(1), { everyMs: 2 });
		await eventually(() => expect(smsc.stats.binds).toBe(2), { everyMs: 2 });
		expect(performance.now() - started).toBeGreaterThan(450);
		expect(operator.status().lastError).toContain("bind refused: 0x");
		expect(logs.join("")).toMatch(/"level":"error".*bind refused: 0x/);
		smsc.refuseBinds(0);
		await bound(operator);
		expect(smsc.stats.binds).toBeGreaterThanOrEqual(5);
	},
);

test("a bind refused once after a session that held is tried soon again, and the log says when", async () => {
	const { operator, smsc, logs } = await startRoute({
		limits: {
			refusedRetryMs: 3_600_000,
			takenMs: 0,
			provenMs: 0,
			refusedSoonMs: [100, 200],
		},
	});
	/** What is left of each wait when it is logged, s: on a busy machine a little has passed. */
	const waits = () =>
		[
			...logs.join("").matchAll(/bind refused: 0x0E; next try in ([\d.]+) s/g),
		].map(([, seconds]) => Number(seconds));
	smsc.refuseBinds(0x0e);
	smsc.dropConnections();
	await eventually(() => expect(waits()).toHaveLength(2));
	expect(waits()[0]).toBeLessThanOrEqual(0.1);
	expect(waits()[1]).toBeLessThanOrEqual(0.2);
	smsc.refuseBinds(0);
	await bound(operator);
	smsc.refuseBinds(0x0e);
	smsc.dropConnections();
	await eventually(() => expect(waits()).toHaveLength(5));
	expect(waits()[4]).toBeGreaterThan(3_500);
	const { nextTryAt } = operator.status();
	const waitMs = (nextTryAt?.getTime() ?? 0) - Date.now();
	expect(waitMs).toBeGreaterThan(3_500_000);
	expect(waitMs).toBeLessThan(3_602_000);
});

test.each([
	["the credentials were refused", 0x0e],
	["binds failed", 0x08],
])("what waits because %s is tried at once when asked", async (_, status) => {
	const { operator, smsc } = await startRoute({
		query: "binds=2",
		waitForBind: false,
		bindStatus: status,
		limits: {
			refusedRetryMs: 3_600_000,
			reconnectMinMs: 3_600_000,
			reconnectMaxMs: 3_600_000,
		},
	});
	await eventually(() => expect(operator.status().lastError).toBeDefined());
	smsc.refuseBinds(0);
	await eventually(() => {
		operator.reconnect();
		expect(operator.status().binds).toBe(2);
	});
});

test("a connection that is up is left alone when a reconnect is asked for", async () => {
	const { operator, submit, smsc } = await startRoute();
	operator.reconnect();
	expect((await submit())[0]?.kind).toBe("accepted");
	expect(smsc.stats.binds).toBe(1);
});

test("a bind that fails for another reason is tried again soon", async () => {
	const { operator, smsc } = await startRoute({
		waitForBind: false,
		bindStatus: 0x08,
	});
	await eventually(() => expect(smsc.stats.binds).toBeGreaterThan(3));
	expect(operator.status().lastError).toBe("bind failed: 0x08");
	smsc.refuseBinds(0);
	await bound(operator);
});

test("a wrong password never shows in the logs or the status", async () => {
	const { operator, logs } = await startRoute({
		waitForBind: false,
		password: "tops3cret",
	});
	await eventually(() => expect(logs.join("")).toContain("bind refused: 0x0E"));
	expect(logs.join("")).not.toContain("tops3cret");
	expect(JSON.stringify(operator.status())).not.toContain("tops3cret");
	expect(JSON.stringify(operator)).not.toContain("tops3cret");
});

test("enquire_link goes both ways", async () => {
	const { smsc } = await startRoute({ limits: { enquireLinkMs: 50 } });
	smsc.broadcast("enquire_link");
	await eventually(() => expect(smsc.stats.enquiriesAnswered).toBe(1));
	await eventually(() => expect(smsc.stats.enquiries).toBeGreaterThan(1));
	expect(smsc.stats.binds).toBe(1);
});

test("an operator that stops responding is left and bound again, what was written unknown", async () => {
	const { operator, submit, smsc } = await startRoute({
		limits: { enquireLinkMs: 100, responseTimeoutMs: 400 },
	});
	smsc.silence();
	expect((await submit())[0]?.kind).toBe("unknown");
	await eventually(() => expect(operator.status().bound).toBe(false));
	smsc.resume();
	await bound(operator);
	expect((await submit())[0]?.kind).toBe("accepted");
	expect(smsc.log.entries.map((entry) => entry.answered)).toEqual([
		false,
		true,
	]);
});

test("an operator that stands still is down within the time of an enquire_link, and up again with its responses", async () => {
	const { operator, submit, smsc, logs } = await startRoute({
		limits: {
			enquireLinkMs: 50,
			enquireTimeoutMs: 100,
			responseTimeoutMs: 60_000,
		},
	});
	smsc.silence();
	const submitted = submit();
	await eventually(() =>
		expect(operator.status()).toMatchObject({
			bound: false,
			binds: 0,
			bindsWanted: 1,
			lastError: "no response to enquire_link",
		}),
	);
	expect(operator.capacity()).toBe(0);
	expect(logs.join("")).toContain("SMPP session down: no response");
	smsc.resume();
	await bound(operator);
	expect((await submit())[0]?.kind).toBe("accepted");
	expect(operator.status().lastError).toBeUndefined();
	expect(smsc.stats.binds).toBe(1);
	await operator.close();
	expect((await submitted)[0]?.kind).toBe("unknown");
});

test("an operator that unbinds gets its response and is bound again", async () => {
	const { operator, submit, smsc } = await startRoute();
	smsc.broadcast("unbind");
	await eventually(() => expect(smsc.stats.binds).toBe(2));
	await bound(operator);
	expect((await submit())[0]?.kind).toBe("accepted");
});

test("unknown commands and requests without a response disturb nothing", async () => {
	const { submit, smsc } = await startRoute();
	smsc.broadcast("query_sm", { message_id: "1" });
	smsc.broadcast("outbind", { system_id: "x" });
	smsc.broadcast("alert_notification", { source_addr: "1" });
	expect((await submit())[0]?.kind).toBe("accepted");
	expect(smsc.stats.binds).toBe(1);
});
