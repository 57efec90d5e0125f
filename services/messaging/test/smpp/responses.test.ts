import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { bound, startRoute } from "./route.ts";

const LONG = "a".repeat(400);

test.each([
	[0x08, { kind: "refused", permanent: false, reason: "operator_error" }],
	[0x14, { kind: "refused", permanent: false, reason: "operator_error" }],
	[0x64, { kind: "refused", permanent: false, reason: "operator_error" }],
	[0x102, { kind: "refused", permanent: false, reason: "operator_error" }],
	[0x45, { kind: "unclear", reason: "operator_error" }],
	[0xfe, { kind: "unclear", reason: "operator_error" }],
	[0xff, { kind: "unclear", reason: "operator_error" }],
	[0x4ab, { kind: "unclear", reason: "operator_error" }],
	[0x0a, { kind: "refused", permanent: true, reason: "rejected" }],
	[0x0b, { kind: "refused", permanent: true, reason: "rejected" }],
	[0x101, { kind: "refused", permanent: true, reason: "blocked" }],
])("status %i is read as it is meant", async (status, outcome) => {
	const { submit, smsc } = await startRoute();
	smsc.scriptStatuses(status);
	const operatorError = `0x${status.toString(16).toUpperCase().padStart(2, "0")}`;
	expect(await submit()).toEqual([{ part: 1, ...outcome, operatorError }]);
});

test("a route's own table of statuses wins", async () => {
	const { submit, smsc } = await startRoute({
		query: "statuses=0x45:permanent,0x0B:temporary",
	});
	smsc.scriptStatuses(0x45, 0x0b);
	expect((await submit())[0]).toMatchObject({ permanent: true });
	expect((await submit())[0]).toMatchObject({ permanent: false });
});

test("a route's own table of reasons says why a message failed", async () => {
	const { submit, smsc } = await startRoute({
		query: "reasons=0x0B:unknown_subscriber,0x45:blocked,11:expired",
	});
	smsc.scriptStatuses(0x0b, 0x45, 0x0a);
	const reasons = [await submit(), await submit(), await submit()].map(
		([part]) => part,
	);
	expect(reasons).toMatchObject([
		{ kind: "refused", permanent: true, reason: "unknown_subscriber" },
		{ kind: "unclear", reason: "blocked" },
		{ kind: "refused", permanent: true, reason: "rejected" },
	]);
});

test("throttling pauses the whole route, longer each time, until it is accepted again", async () => {
	const { operator, submit, smsc } = await startRoute({
		limits: { throttleMinMs: 1_000, throttleMaxMs: 2_500 },
	});
	smsc.scriptStatuses(0x58, 0x58, 0x58, 0x58, 0, 0x58);
	const pauses = [];
	for (let i = 0; i < 6; i++) {
		const [part] = await submit();
		if (part?.kind === "throttled") expect(operator.capacity()).toBe(0);
		pauses.push(part?.kind === "throttled" ? part.retryAfterMs : 0);
	}
	// What is left of a pause when its response is read: on a busy machine somewhat less than the whole.
	expect(pauses.map((ms) => Math.ceil(ms / 500) * 500)).toEqual([
		1_000, 2_000, 2_500, 2_500, 0, 1_000,
	]);
	const times = smsc.log.entries.map(({ at }) => at);
	const waits = times.slice(1).map((at, i) => at - (times[i] ?? at));
	for (const [i, pauseMs] of [1_000, 2_000, 2_500, 2_500].entries())
		expect(waits[i]).toBeGreaterThanOrEqual(pauseMs - 10);
});

test("the throttled responses of one window are one pause", async () => {
	const { operator, submit, smsc } = await startRoute({
		limits: { throttleMinMs: 20_000 },
	});
	smsc.scriptStatuses(...Array<number>(10).fill(0x58));
	const results = await Promise.all(Array.from({ length: 10 }, () => submit()));
	for (const [part] of results) {
		expect(part).toMatchObject({ kind: "throttled" });
		expect(part).toHaveProperty("retryAfterMs", expect.any(Number));
	}
	const { pausedUntil } = operator.status();
	expect(Number(pausedUntil) - Date.now()).toBeLessThanOrEqual(20_001);
});

test("capacity comes back by itself after a pause", async () => {
	const { operator, submit, smsc } = await startRoute();
	smsc.scriptStatuses(0x58);
	await submit();
	let told = 0;
	operator.onCapacity(() => told++);
	expect(operator.capacity()).toBe(0);
	await eventually(() => expect(told).toBeGreaterThan(0));
	expect(operator.capacity()).toBe(10);
});

test("what waits during a pause goes out after it", async () => {
	const { submit, smsc } = await startRoute();
	smsc.scriptStatuses(0x58);
	await submit();
	expect((await submit())[0]?.kind).toBe("accepted");
	expect(smsc.log.taken()).toHaveLength(1);
});

test.each([0x03, 0x04, 0x05])(
	"status %i binds again, and is told of the part that got it",
	async (status) => {
		const { operator, submit, smsc } = await startRoute();
		smsc.scriptStatuses(status);
		expect(await submit()).toEqual([
			{ part: 1, kind: "session", operatorError: `0x0${status}` },
		]);
		expect(operator.status().bound).toBe(false);
		await eventually(() => expect(smsc.stats.binds).toBe(2));
		await bound(operator);
		expect((await submit())[0]?.kind).toBe("accepted");
	},
);

test("a session that is given up still gets the responses on their way", async () => {
	const { submit, smsc } = await startRoute({
		smsc: { settings: { answerDelayMs: 50 } },
		limits: { unbindTimeoutMs: 1_000 },
	});
	const before = submit();
	await eventually(() => expect(smsc.log.total).toBe(1), { everyMs: 2 });
	smsc.scriptStatuses(0x04);
	expect((await submit())[0]?.kind).toBe("session");
	expect((await before)[0]?.kind).toBe("accepted");
});

test("after one part is refused for good, those not written yet stay unsent", async () => {
	const { submit, smsc } = await startRoute({ query: "window=1" });
	smsc.scriptStatuses(0, 0x0b);
	expect(await submit({ body: LONG })).toMatchObject([
		{ part: 1, kind: "accepted" },
		{ part: 2, kind: "refused", permanent: true },
		{ part: 3, kind: "unsent" },
	]);
	expect(smsc.log.total).toBe(2);
});

test("after the session is refused over one part, those not written yet stay unsent", async () => {
	const { submit, smsc } = await startRoute({ query: "window=1&binds=2" });
	smsc.scriptStatuses(0, 0x04);
	expect(await submit({ body: LONG })).toMatchObject([
		{ part: 1, kind: "accepted" },
		{ part: 2, kind: "session" },
		{ part: 3, kind: "unsent" },
	]);
	expect(smsc.log.total).toBe(2);
});

test("a response that does not come is unknown, and says what it says when it comes after all", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "window=1",
		smsc: { settings: { answerDelayMs: 600 } },
		limits: { responseTimeoutMs: 200 },
	});
	const [part] = await submit();
	if (part?.kind !== "unknown") throw new Error(`It was ${part?.kind}.`);
	expect(part.why).toBe("no response in time");
	expect(operator.capacity()).toBe(1);
	expect(await part.late).toMatchObject({
		kind: "accepted",
		operatorMessageId: smsc.log.taken()[0]?.id,
	});
});

test("a response cannot come any more once its connection is closed", async () => {
	const { submit, smsc } = await startRoute({
		smsc: { settings: { answerDelayMs: 60_000 } },
		limits: { responseTimeoutMs: 200 },
	});
	const [part] = await submit();
	if (part?.kind !== "unknown") throw new Error(`It was ${part?.kind}.`);
	smsc.dropConnections();
	expect(await part.late).toBeUndefined();
});

test("a connection that dies makes what was written unknown and the rest unsent", async () => {
	const { submit, smsc } = await startRoute({
		query: "window=2",
		smsc: { settings: { answerDelayMs: 5_000 } },
		limits: { queueTimeoutMs: 1_000 },
	});
	const submits = Promise.all(Array.from({ length: 5 }, () => submit()));
	await eventually(() => expect(smsc.log.total).toBe(2));
	smsc.refuseBinds(0x08);
	smsc.dropConnections();
	const kinds = (await submits).map(([part]) => part?.kind);
	expect(kinds.filter((kind) => kind === "unknown")).toHaveLength(2);
	expect(kinds.filter((kind) => kind === "unsent")).toHaveLength(3);
	expect(smsc.log.total).toBe(2);
});

test("without any session a message comes back unsent", async () => {
	const { operator, submit, smsc } = await startRoute({
		limits: { queueTimeoutMs: 100 },
	});
	smsc.refuseBinds(0x08);
	smsc.dropConnections();
	await eventually(() => expect(operator.status().bound).toBe(false));
	expect(operator.capacity()).toBe(0);
	expect(await submit()).toEqual([
		{ part: 1, kind: "unsent", why: "no free slot" },
	]);
	expect(smsc.log.total).toBe(0);
});

test("every submit settles once, whatever happens to the connections", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "window=20&binds=2",
		smsc: { settings: { answerDelayMs: 10 } },
		limits: { queueTimeoutMs: 10_000 },
	});
	const total = 600;
	let drops = 0;
	const submits = Array.from({ length: total }, () => submit());
	await Promise.race(submits);
	while (operator.status().queued > 0 && drops < 8) {
		const before = smsc.log.total;
		// On a slow machine the last ones may wait too long, and are not written.
		await eventually(() =>
			expect(smsc.log.total > before || operator.status().queued === 0).toBe(
				true,
			),
		);
		smsc.dropConnections();
		drops++;
	}
	const kinds = (await Promise.all(submits)).map(([part]) => part?.kind);
	const count = (kind: string) => kinds.filter((each) => each === kind).length;
	expect(count("accepted") + count("unknown") + count("unsent")).toBe(total);
	expect(drops).toBeGreaterThan(1);
	expect(count("accepted")).toBeGreaterThan(0);
	// Nothing that reached the operator is called unsent.
	expect(smsc.log.total).toBeLessThanOrEqual(
		count("accepted") + count("unknown"),
	);
});
