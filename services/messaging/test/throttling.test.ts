import { eventually } from "@airtower/platform/testing/eventually";
import type { SmscSettings } from "@airtower/simulators/smsc/settings";
import { startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished, test } from "vitest";
import {
	acceptedOf,
	insertSender,
	type MessageInit,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import { startTestService } from "./support/service.ts";

/** A service with a route of these options to a simulator of these settings, both stopped after the test. */
async function startSending(query: string, settings: Partial<SmscSettings>) {
	const smsc = await startSmsc({
		settings: { receiptDelayMs: 0, ...settings },
	});
	const address = `smpp://airtower:airtower@127.0.0.1:${smsc.port}`;
	const service = await startTestService({
		realOperator: true,
		env: { SMPP_ROUTE_URL: `${address}?code=main&${query}` },
	});
	onTestFinished(async () => {
		await service.close();
		await smsc.close();
	});
	const organization = await organizationWith(service, 1_000_000);
	const send = async (messages: readonly MessageInit[]) => {
		const { results } = await service.messaging.sendMessages({
			messages: messages.map((each) => messageTo(organization, each)),
		});
		return results.map((result) => acceptedOf(result).messageId);
	};
	const delivered = async (ids: readonly string[]) =>
		(
			await service.sql`
				select
				from messages
				where id = any(${[...ids]}::uuid[])
				and status = 'delivered'
			`
		).length;
	return { smsc, service, organization, send, delivered };
}

test("an operator that throttles above its rate slows the route: all is delivered, less than half of it was throttled", async () => {
	const { smsc, send, delivered } = await startSending("window=20", {
		submitsPerSecond: 60,
	});
	// However slow the machine is, it throttles.
	smsc.scriptStatuses(...Array<number>(5).fill(0x58));
	const ids = await send(Array(400).fill({}));
	await eventually(async () => expect(await delivered(ids)).toBe(ids.length));
	expect(smsc.stats.throttled).toBeLessThan(ids.length / 2);
	expect(smsc.log.taken()).toHaveLength(ids.length);
});

test("a sender over its rate waits by itself: all of the others are sent first, and nothing counts as an attempt", async () => {
	const { smsc, service, organization, send, delivered } = await startSending(
		"window=20&senderrate=4",
		{},
	);
	const others = Array.from({ length: 20 }, (_, nth) => `Other${nth}`);
	for (const value of others)
		await insertSender(service.sql, organization, { value });
	const started = performance.now();
	const busy = Array.from({ length: 50 }, () => ({}));
	const rest = [...others, ...others].map((senderName) => ({ senderName }));
	const ids = await send([...busy, ...rest]);
	await eventually(async () => expect(await delivered(ids)).toBe(ids.length));
	const seconds = (performance.now() - started) / 1_000;
	expect(seconds).toBeGreaterThan(49 / 4);
	const order = smsc.log.taken().map(({ source }) => source);
	expect(order).toHaveLength(ids.length);
	const lastOther = order.findLastIndex((source) => source !== "Airtower");
	const busyBefore = order.slice(0, lastOther).filter((s) => s === "Airtower");
	expect(busyBefore.length).toBeLessThan(busy.length);
	const attempts = await service.sql<{ attempts: number }[]>`
		select distinct attempts
		from messages
		where id = any(${ids}::uuid[])
	`;
	expect(attempts).toEqual([{ attempts: 1 }]);
});
