import { createLogger } from "@airtower/platform/runtime/log";
import { eventually } from "@airtower/platform/testing/eventually";
import { startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished, test } from "vitest";
import { organizationWith } from "./support/messaging.ts";
import { dispatchOf, messageRow, statusOf } from "./support/rows.ts";
import { callSend, startTestService } from "./support/service.ts";

const REFUSED = 0x04;

/** A service on a route whose operator refuses the session over the next so many submits, and a message to it. */
async function startRefused(count: number, binds = 2, body = "Hello") {
	const smsc = await startSmsc({ settings: { receiptDelayMs: 0 } });
	onTestFinished(() => smsc.close());
	const logs: string[] = [];
	const log = createLogger({
		service: "test",
		level: "info",
		destination: { write: (line) => logs.push(line) },
	});
	const service = await startTestService({
		realOperator: true,
		env: {
			SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?code=main&binds=${binds}`,
		},
		overrides: { log },
	});
	onTestFinished(() => service.close());
	await eventually(() => expect(smsc.stats.sessions).toBe(binds));
	smsc.scriptStatuses(...Array<number>(count).fill(REFUSED));
	const organization = await organizationWith(service, 10);
	const id = await callSend(service, organization, { body });
	return { id, smsc, service, logs };
}

test("a message that cost two connections is unknown and costs no third", async () => {
	const { id, smsc, service, logs } = await startRefused(10);
	await eventually(async () =>
		expect(await statusOf(service.sql, id)).toBe("unknown"),
	);
	expect(await messageRow(service.sql, id)).toMatchObject({ attempts: 2 });
	expect((await dispatchOf(service.sql, id))?.dueInS).toBeGreaterThan(80_000);
	expect(smsc.log.total).toBe(2);
	const refusals = logs
		.map((line) => JSON.parse(line) as Record<string, unknown>)
		.filter(({ status }) => status === "0x04");
	expect(refusals).toMatchObject([
		{ level: "warn", route: "main", messageId: id },
		{ level: "warn", route: "main", messageId: id },
	]);
	const { opsPort } = service.running;
	const metrics = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
	expect(await metrics.text()).toMatch(
		/^messaging_session_refusals_total\{.*route="main".*status="0x04".*\} 2$/m,
	);
	const trace = await service.admin.traceMessage({ messageId: id });
	expect(trace.operatorError).toBe("0x04");
});

test("a long message costs no third connection either, however many parts and connections there are", async () => {
	const { id, smsc, service } = await startRefused(100, 10, "a".repeat(1_500));
	await eventually(async () =>
		expect(await statusOf(service.sql, id)).toBe("unknown"),
	);
	await eventually(() => {
		expect(smsc.stats.binds).toBeGreaterThanOrEqual(12);
		expect(smsc.stats.sessions).toBe(10);
	});
	expect(smsc.stats.binds).toBe(12);
});

test("a message that cost one connection is sent on the next", async () => {
	const { id, smsc, service } = await startRefused(1);
	await eventually(async () =>
		expect(await messageRow(service.sql, id)).toMatchObject({
			status: "delivered",
			attempts: 2,
			possibleDuplicate: false,
		}),
	);
	expect(smsc.log.total).toBe(2);
});
