import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { bound, holdAll, startRoute } from "./route.ts";

const may = () => true;

test("a connection that is given up takes no more, waits for its responses, and is closed then", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "binds=2&window=2",
		smsc: { settings: { answerDelayMs: 300 } },
	});
	const submits = Array.from({ length: 4 }, () => submit());
	await eventually(() => expect(smsc.log.total).toBe(4), { everyMs: 2 });
	operator.hold([0], may);
	expect(operator.window).toBe(2);
	expect(operator.capacity()).toBe(0);
	expect(operator.open()).toEqual([0, 1]);
	expect((await Promise.all(submits)).map(([part]) => part?.kind)).toEqual(
		Array(4).fill("accepted"),
	);
	await eventually(() => expect(operator.open()).toEqual([0]));
	expect(smsc.stats).toMatchObject({ unbinds: 1, sessions: 1 });
	expect(operator.status()).toMatchObject({ binds: 1, bindsWanted: 1 });
	expect((await submit())[0]?.kind).toBe("accepted");
});

test("who holds no connection of a route has no room, and gives back what waits", async () => {
	const { operator, submit, smsc } = await startRoute({
		query: "rate=1&window=10",
	});
	const submits = [submit(), submit(), submit()];
	operator.hold([], may);
	const kinds = (await Promise.all(submits)).map(([part]) => part?.kind);
	expect(kinds).toEqual(["accepted", "unsent", "unsent"]);
	expect(operator.capacity()).toBe(0);
	expect(operator.window).toBe(0);
	await eventually(() => expect(smsc.stats.sessions).toBe(0));
	holdAll(operator);
	await bound(operator);
});

test("a connection brings its part of the rate a second after it was taken", async () => {
	const { operator } = await startRoute({
		query: "rate=40&binds=2&window=100",
		limits: { rateAfterMs: 1_000 },
	});
	expect(operator.capacity()).toBe(0);
	await eventually(() => {
		holdAll(operator);
		expect(operator.capacity()).toBe(10);
	});
	operator.hold([1], may);
	expect(operator.capacity()).toBe(5);
});

test("no connection is opened that is not this process's to open", async () => {
	let isMine = true;
	const { operator, smsc } = await startRoute({ query: "binds=2" });
	operator.hold([0, 1], () => isMine);
	isMine = false;
	smsc.dropConnections();
	await eventually(() =>
		expect(operator.status().lastError).toBe("the lease is over"),
	);
	expect(smsc.stats.binds).toBe(2);
	isMine = true;
	await bound(operator);
	expect(smsc.stats.binds).toBe(4);
});

test.each([0x05, 0x0d])(
	"a bind that is refused with %i is waited for: no alarm, and no long pause",
	async (bindStatus) => {
		const { operator, smsc, logs } = await startRoute({
			query: "binds=2",
			waitForBind: false,
			bindStatus,
			limits: { reconnectMaxMs: 3_600_000, takenRetryMs: 50 },
		});
		await eventually(() => expect(smsc.stats.binds).toBeGreaterThan(20));
		expect(logs.join("")).not.toMatch(/"level":"(error|warn)"/);
		smsc.refuseBinds(0);
		await bound(operator);
	},
);

test("a bind that stays taken for too long is an alarm", async () => {
	const { logs } = await startRoute({
		waitForBind: false,
		bindStatus: 0x05,
		limits: { takenMs: 200 },
	});
	await eventually(() =>
		expect(logs.join("")).toMatch(/"level":"error".*bind failed: 0x05/),
	);
});
