import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { startRoute } from "./route.ts";

test("a stop waits for the responses on their way, gives back the rest, and unbinds", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "window=2",
		smsc: { settings: { answerDelayMs: 300 } },
	});
	const submits = Array.from({ length: 5 }, () => submit());
	await eventually(() => expect(smsc.log.total).toBe(2), { everyMs: 2 });
	await operator.close();
	const kinds = (await Promise.all(submits)).map(([part]) => part?.kind);
	expect(kinds).toEqual(["accepted", "accepted", "unsent", "unsent", "unsent"]);
	expect(smsc.log.total).toBe(2);
	await eventually(() =>
		expect(smsc.stats).toMatchObject({ unbinds: 1, sessions: 0, binds: 1 }),
	);
});

test("a stopping route takes no more", async () => {
	const { operator, submit, smsc } = await startRoute();
	const closing = operator.close();
	expect(operator.capacity()).toBe(0);
	expect(await submit()).toEqual([{ part: 1, kind: "unsent", why: "stopped" }]);
	await closing;
	expect(await submit()).toMatchObject([{ kind: "unsent" }]);
	expect(smsc.log.total).toBe(0);
});

test("a stop waits for receipts being stored, so that they are responded to", async () => {
	const stored = Promise.withResolvers<void>();
	let storing = false;
	const { operator, submit, smsc } = await startRoute({
		onReceipt: () => {
			storing = true;
			return stored.promise;
		},
	});
	await submit();
	await eventually(() => expect(storing).toBe(true));
	const closing = operator.close();
	stored.resolve();
	await closing;
	await eventually(() => expect(smsc.stats.receiptsDelivered).toBe(1));
});

test("a stop does not wait for ever: what has no response then is unknown", async () => {
	const { operator, submit, smsc } = await startRoute({
		limits: { drainMs: 200, responseTimeoutMs: 60_000 },
	});
	smsc.silence();
	const submitted = submit();
	await eventually(() => expect(smsc.log.total).toBe(1));
	const started = performance.now();
	await operator.close();
	expect(performance.now() - started).toBeLessThan(20_000);
	expect((await submitted)[0]?.kind).toBe("unknown");
});

test("a stop ends attempts to connect, and closing twice is closing once", async () => {
	const { operator, smsc } = await startRoute({
		waitForBind: false,
		bindStatus: 0x0e,
	});
	await eventually(() => expect(smsc.stats.binds).toBe(1));
	const started = performance.now();
	await Promise.all([operator.close(), operator.close()]);
	expect(performance.now() - started).toBeLessThan(20_000);
	expect(operator.status()).toMatchObject({ bound: false, binds: 0 });
});
