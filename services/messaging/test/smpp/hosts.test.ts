import { createLogger } from "@airtower/platform/runtime/log";
import { pause } from "@airtower/platform/runtime/waiting";
import { eventually } from "@airtower/platform/testing/eventually";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished, test } from "vitest";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import { parseSmppRoute } from "../../src/operators/route/smpp-route.ts";
import type { SmppLimits } from "../../src/operators/session/smpp-limits.ts";
import { createSmppOperator } from "../../src/operators/smpp-operator.ts";
import { bound, holdAll, matches, outgoing } from "./route.ts";

/** Never within a test. */
const NEVER_MS = 3_600_000;

interface Host {
	readonly smsc: Smsc;
	readonly port: number;
	/** Ends it, as a kill would for those who are connected. */
	kill(): Promise<void>;
}

async function startHost(port = 0, answerDelayMs = 0): Promise<Host> {
	const smsc = await startSmsc({
		port,
		settings: { receiptDelayMs: 0, answerDelayMs },
	});
	let ended: Promise<void> | undefined;
	const kill = () => {
		ended ??= smsc.close();
		return ended;
	};
	onTestFinished(kill);
	return { smsc, port: smsc.port, kill };
}

/** A route to the first of these hosts, the others its further ones. */
function startRoute(
	hosts: readonly Host[],
	{
		query = "",
		limits = {},
	}: { readonly query?: string; readonly limits?: Partial<SmppLimits> } = {},
) {
	const [first = 0, ...further] = hosts.map(({ port }) => port);
	const others = further.map((port) => `127.0.0.1:${port}`).join(",");
	const route = parseSmppRoute(
		`smpp://airtower:airtower@127.0.0.1:${first}?hosts=${others}&${query}`,
	);
	const logs: string[] = [];
	const log = createLogger({
		service: "test",
		level: "debug",
		destination: { write: (line) => logs.push(line) },
	});
	const operator = createSmppOperator(route, log, {
		reconnectMinMs: 20,
		reconnectMaxMs: 50,
		unbindTimeoutMs: 200,
		rateAfterMs: 0,
		lookAtHostMs: 0,
		firstHostHeldMs: NEVER_MS,
		...limits,
	});
	onTestFinished(() => operator.close());
	const receipts: Receipt[] = [];
	operator.start({
		onReceipt: async (receipt) => void receipts.push(receipt),
		onMessage: async () => {},
	});
	holdAll(operator);
	const submit = async () => {
		const { parts } = await operator.submit(outgoing());
		return parts[0];
	};
	return { operator, route, receipts, logs, submit };
}

test("a killed host's traffic goes to the next one, and back without a cut once the first has held", async () => {
	const first = await startHost();
	const second = await startHost(0, 300);
	const { operator, submit, receipts } = startRoute([first, second], {
		query: "binds=2&window=5",
		limits: { firstHostHeldMs: 100 },
	});
	await bound(operator);
	expect(operator.status().lastError).toBeUndefined();
	const stop = new AbortController();
	const accepted: Awaited<ReturnType<typeof submit>>[] = [];
	const unknown: string[] = [];
	const send = async () => {
		while (!stop.signal.aborted) {
			const part = await submit();
			if (part?.kind === "accepted") accepted.push(part);
			if (part?.kind === "unknown") unknown.push(part.why);
			// As the processes' shares do each second.
			holdAll(operator);
			await pause(5, stop.signal);
		}
	};
	const traffic = Promise.all([send(), send(), send(), send()]);
	await eventually(() => expect(first.smsc.log.total).toBeGreaterThan(10));
	await first.kill();
	await eventually(() => expect(second.smsc.log.total).toBeGreaterThan(10));
	await bound(operator);
	expect(operator.status().lastError).toMatch(
		`at 127.0.0.1:${second.port} instead of 127.0.0.1:${first.port}: `,
	);
	const cut = unknown.length;
	const returned = await startHost(first.port);
	await eventually(() => expect(returned.smsc.stats.sessions).toBe(2));
	await eventually(() => expect(returned.smsc.log.total).toBeGreaterThan(10));
	stop.abort();
	await traffic;
	expect(unknown.length).toBe(cut);
	await eventually(() =>
		expect(second.smsc.stats).toMatchObject({ sessions: 0, unbinds: 2 }),
	);
	await bound(operator);
	expect(operator.status().lastError).toBeUndefined();
	const ofLater = accepted.slice(first.smsc.log.total);
	await eventually(() => {
		for (const part of ofLater)
			expect(receipts.some((receipt) => matches(receipt, part))).toBe(true);
	});
});

test("a host that takes connections and does not respond to binds is left", async () => {
	const [first, second] = [await startHost(), await startHost()];
	first.smsc.silence();
	const { operator, submit } = startRoute([first, second], {
		limits: { connectTimeoutMs: 1_500 },
	});
	await bound(operator);
	expect((await submit())?.kind).toBe("accepted");
	expect(second.smsc.log.total).toBe(1);
	expect(operator.status().lastError).toMatch(
		/ instead of .*: no (response to bind|connection)/,
	);
});

test("where no host can be bound, all are tried in turn, and the first that can be takes the traffic", async () => {
	const closed = [await startHost(), await startHost(), await startHost()];
	await Promise.all(closed.map(({ kill }) => kill()));
	const { operator, logs, submit } = startRoute(closed);
	const [one, two, three] = closed.map(({ port }) => `"port":${port}`);
	await eventually(() => {
		const tried = logs.filter((line) => line.includes("SMPP bind failed"));
		expect(tried.length).toBeGreaterThan(6);
		for (const [index, line] of tried.entries())
			expect(line).toContain([one, two, three][index % 3]);
	});
	await startHost(closed[2]?.port);
	await bound(operator);
	expect((await submit())?.kind).toBe("accepted");
});

test("refused credentials make no host be tried sooner", async () => {
	const [first, second] = [await startHost(), await startHost()];
	for (const { smsc } of [first, second]) smsc.refuseBinds(0x0e);
	const { operator } = startRoute([first, second], {
		query: "binds=3",
		limits: { refusedRetryMs: NEVER_MS, takenMs: 0 },
	});
	await eventually(() =>
		expect(operator.status().lastError).toContain("bind refused: 0x0E"),
	);
	const { nextTryAt } = operator.status();
	expect((nextTryAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_000_000);
	expect([first.smsc.stats.binds, second.smsc.stats.binds]).toEqual([1, 0]);
	second.smsc.refuseBinds(0);
	operator.reconnect();
	await bound(operator);
	expect(first.smsc.stats.binds).toBe(1);
});

test("a host that is added or taken away cuts no connection to another", async () => {
	const [first, second] = [await startHost(), await startHost()];
	const { operator, route } = startRoute([first]);
	await bound(operator);
	const furtherHosts = [{ host: "127.0.0.1", port: second.port }];
	operator.change({ ...route, furtherHosts });
	holdAll(operator);
	await bound(operator);
	expect(first.smsc.stats).toMatchObject({ binds: 1, sessions: 1, unbinds: 0 });
	await first.kill();
	await eventually(() => expect(second.smsc.stats.sessions).toBe(1));
});

test("a connection to a host that is no longer one goes to the first", async () => {
	const first = await startHost();
	await first.kill();
	const second = await startHost();
	const { operator, route } = startRoute([first, second], {
		limits: { firstHostHeldMs: 0 },
	});
	await eventually(() => expect(second.smsc.stats.sessions).toBe(1));
	operator.change({ ...route, furtherHosts: [] });
	const returned = await startHost(first.port);
	await eventually(() => {
		holdAll(operator);
		expect(returned.smsc.stats.sessions).toBe(1);
	});
	await eventually(() =>
		expect(second.smsc.stats).toMatchObject({ sessions: 0, unbinds: 1 }),
	);
});
