import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { matches, startRoute } from "./route.ts";

const THREE_PARTS = "a".repeat(400);

test("any other number is delivered within 300 ms; one of ten, for the machine may stall", async () => {
	const { submit, receipts } = await startRoute({
		smsc: { settings: { receiptDelayMs: 100 } },
	});
	let part: Awaited<ReturnType<typeof submit>>[number] | undefined;
	let tookMs = Infinity;
	for (let tries = 0; tries < 10 && tookMs >= 300; tries++) {
		receipts.length = 0;
		const started = performance.now();
		[part] = await submit({ to: "+33612344321" });
		await eventually(() => expect(receipts).toHaveLength(1), { everyMs: 5 });
		tookMs = performance.now() - started;
	}
	expect(tookMs).toBeLessThan(300);
	expect(part?.kind).toBe("accepted");
	expect(receipts[0]).toMatchObject({ state: "delivered" });
	expect(matches(receipts[0], part)).toBe(true);
});

test("0001 is delivered after one second", async () => {
	const { submit, receipts } = await startRoute();
	const started = performance.now();
	const [part] = await submit({ to: "+33612340001" });
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(performance.now() - started).toBeGreaterThan(990);
	expect(receipts[0]?.state).toBe("delivered");
	expect(matches(receipts[0], part)).toBe(true);
});

test("0002 is undeliverable", async () => {
	const { submit, receipts } = await startRoute();
	const [part] = await submit({ to: "+33612340002" });
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]).toMatchObject({
		state: "failed",
		reason: "undeliverable",
		operatorError: "UNDELIV err:027",
	});
	expect(matches(receipts[0], part)).toBe(true);
});

test("0003 is rejected at submit", async () => {
	const { submit, smsc } = await startRoute();
	expect(await submit({ to: "+33612340003" })).toEqual([
		{
			part: 1,
			kind: "refused",
			permanent: true,
			reason: "rejected",
			operatorError: "0x0B",
		},
	]);
	expect(smsc.log.taken()).toEqual([]);
});

test("0004 expires", async () => {
	const { submit, receipts } = await startRoute();
	await submit({ to: "+33612340004" });
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]).toMatchObject({ state: "failed", reason: "expired" });
});

test("0005 is throttled twice, then delivered", async () => {
	const { submit, receipts } = await startRoute();
	const kinds = [];
	for (let i = 0; i < 3; i++)
		kinds.push((await submit({ to: "+33612340005" }))[0]?.kind);
	expect(kinds).toEqual(["throttled", "throttled", "accepted"]);
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]?.state).toBe("delivered");
});

test("0006 never gets a receipt", async () => {
	const { submit, receipts, smsc } = await startRoute();
	await submit({ to: "+33612340006" });
	const [, next] = await Promise.all([submit(), submit()]);
	await eventually(() => expect(receipts).toHaveLength(2));
	expect(next[0]?.kind).toBe("accepted");
	expect(smsc.log.taken("+33612340006")).toHaveLength(1);
	// A receipt is pending until its response has come.
	await eventually(() => expect(smsc.stats.receiptsPending).toBe(0));
});

test("0007 gets its receipt before the response", async () => {
	const { submit, receipts } = await startRoute();
	let responded = false;
	const submitted = submit({ to: "+33612340007" }).then((parts) => {
		responded = true;
		return parts;
	});
	await eventually(() => expect(receipts).toHaveLength(1), { everyMs: 2 });
	expect(responded).toBe(false);
	const [part] = await submitted;
	expect(matches(receipts[0], part)).toBe(true);
});

test("0008 gets its receipt twice", async () => {
	const { submit, receipts } = await startRoute();
	const [part] = await submit({ to: "+33612340008" });
	await eventually(() => expect(receipts).toHaveLength(2));
	expect(receipts.map((receipt) => matches(receipt, part))).toEqual([
		true,
		true,
	]);
});

test("0010 is delivered after 30 seconds, here of a clock fifty times faster", async () => {
	const { submit, receipts } = await startRoute({
		smsc: { settings: { timeFactor: 1 / 50 } },
	});
	const started = performance.now();
	await submit({ to: "+33612340010" });
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(performance.now() - started).toBeGreaterThan(590);
	expect(receipts[0]?.state).toBe("delivered");
});

test("0011 fails one part of a long message and delivers the others", async () => {
	const { submit, receipts } = await startRoute();
	const parts = await submit({ to: "+33612340011", body: THREE_PARTS });
	await eventually(() => expect(receipts).toHaveLength(3));
	const stateOf = (index: number) =>
		receipts.find((receipt) => matches(receipt, parts[index]))?.state;
	expect([stateOf(0), stateOf(1), stateOf(2)]).toEqual([
		"delivered",
		"failed",
		"delivered",
	]);
});

test("0011 delivers a short message", async () => {
	const { submit, receipts } = await startRoute();
	await submit({ to: "+33612340011" });
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]?.state).toBe("delivered");
});

test("0012 is taken without a response: unknown, and its receipt comes all the same", async () => {
	const { submit, receipts, smsc } = await startRoute({
		limits: { responseTimeoutMs: 300 },
	});
	expect(await submit({ to: "+33612340012" })).toMatchObject([
		{ part: 1, kind: "unknown", why: "no response in time" },
	]);
	expect(smsc.log.taken("+33612340012")).toHaveLength(1);
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]?.state).toBe("delivered");
});
