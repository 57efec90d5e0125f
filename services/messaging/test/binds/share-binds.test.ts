import { afterEach, beforeEach, expect, test } from "vitest";
import { endLease, rescueDispatch } from "../../src/jobs/rescue-dispatch.ts";
import { reportRoutes } from "../../src/jobs/routes/report-routes.ts";
import { shareBinds } from "../../src/jobs/routes/share-binds.ts";
import { insertBindSlots } from "../../src/store/routes/bind-slots.ts";
import { letLeaseRunOut } from "../support/leases.ts";
import {
	startTestMessaging,
	type TestMessaging,
	type TestReplica,
} from "../support/messaging.ts";

let messaging: TestMessaging;
let processes: TestReplica[];

beforeEach(async () => {
	messaging = await startTestMessaging();
	processes = [messaging];
});

afterEach(() => messaging.close());

/** Processes on a route with so many binds; they do not work yet. */
async function start(count: number, binds: number): Promise<void> {
	while (processes.length < count) processes.push(await messaging.replica());
	for (const { operator } of processes) operator.binds = binds;
	await insertBindSlots(messaging.sql, "scripted", binds);
}

/** Rounds of all processes until nothing moves any more; returns what each holds. */
async function settle(): Promise<(readonly number[])[]> {
	for (let round = 0; round < 4; round++)
		for (const { ctx } of processes) {
			await reportRoutes(ctx);
			await shareBinds(ctx);
		}
	return processes.map(({ operator }) => operator.open());
}

test("one process alone has all", async () => {
	await start(1, 4);
	expect(await settle()).toEqual([[0, 1, 2, 3]]);
});

test("a new process gets its share once the others have given it up; what goes is free for others", async () => {
	await start(1, 4);
	await settle();
	await start(3, 4);
	const shares = await settle();
	expect(shares.map((slots) => slots.length)).toEqual([2, 1, 1]);
	expect(shares.flat().toSorted()).toEqual([0, 1, 2, 3]);
	const [first] = processes.splice(0, 1);
	if (first) await endLease(first.ctx);
	expect((await settle()).map((slots) => slots.length)).toEqual([2, 2]);
});

test("with fewer connections than processes some have none", async () => {
	await start(4, 2);
	const counts = (await settle()).map((slots) => slots.length);
	expect(counts).toEqual([1, 1, 0, 0]);
});

test("a connection that is not closed yet is nobody else's", async () => {
	await start(2, 2);
	const [first, second] = processes as [TestReplica, TestReplica];
	await reportRoutes(first.ctx);
	await shareBinds(first.ctx);
	first.operator.closing = true;
	expect(await settle()).toEqual([[0, 1], []]);
	first.operator.closing = false;
	expect(await settle()).toEqual([[0], [1]]);
	expect(second.operator.open()).toEqual([1]);
});

test("what a process holds that shows no sign of life is taken once its lease has run out", async () => {
	await start(2, 2);
	await settle();
	const [dead, living] = processes as [TestReplica, TestReplica];
	processes = [living];
	expect(await settle()).toEqual([[1]]);
	await letLeaseRunOut(dead);
	await rescueDispatch(living.ctx);
	expect(await settle()).toEqual([[0, 1]]);
	await shareBinds(dead.ctx);
	expect(dead.operator.open()).toEqual([]);
});

test("a process that the database does not reach keeps what it has until its lease is over, and gives up all then", async () => {
	const away = messaging.database.connect(1);
	await away.end();
	const cut = async ({ ctx, operator }: TestReplica) => {
		operator.hold([0], () => true);
		await expect(shareBinds({ ...ctx, sql: away })).rejects.toThrow();
		return operator.open();
	};
	expect(await cut(messaging)).toEqual([0]);
	const stale = await messaging.replica({ limits: { leaseMs: 0 } });
	expect(await cut(stale)).toEqual([]);
});
