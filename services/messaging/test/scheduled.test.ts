import { firstIdAt } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dropPartitions } from "../src/jobs/drop-partitions.ts";
import { endWithoutReceipt } from "../src/jobs/end-without-receipt.ts";
import { expireMessages } from "../src/jobs/expire-messages.ts";
import { createWaitingMover } from "../src/jobs/routes/move-waiting.ts";
import { stageScheduled } from "../src/jobs/stage-scheduled.ts";
import { findUnsentAge } from "../src/store/dispatch/dispatch-counts.ts";
import { hasWork } from "../src/store/old-partitions.ts";
import {
	dispatchAll,
	LIMITS,
	messageTo,
	reasonOf,
	retryAll,
	send,
	sendOne,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	makeAllDue,
	outcomesOf,
	reachSendTimes,
	statusOf,
} from "./support/rows.ts";
import { startTwoRoutes } from "./support/two-routes.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

const inMs = (ms: number) => timestampFromDate(new Date(Date.now() + ms));

function schedule(aheadMs = HOUR_MS): Promise<string> {
	const sendAt = inMs(aheadMs);
	return sendOne(messaging, messageTo(organization, { sendAt }));
}

/** The id that the message would have, had it been made so many days ago. */
function olderId(id: string, days: number): string {
	const time = firstIdAt(new Date(Date.now() - days * DAY_MS)).slice(0, 13);
	return `${time}${id.slice(13)}`;
}

/** As if the message had been accepted so long ago; returns its id. */
async function age(id: string, days: number): Promise<string> {
	const { sql } = messaging;
	const older = olderId(id, days);
	await sql`update messages set id = ${older} where id = ${id}`;
	await sql`update scheduled_messages set message_id = ${older} where message_id = ${id}`;
	return older;
}

test("a message is paid for when it is accepted, and sent when its time has come", async () => {
	const { ctx, sql, operator, ledger } = messaging;
	const before = ledger.balances.get(organization) ?? 0;
	const id = await schedule();
	expect(ledger.balances.get(organization)).toBe(before - 1);
	expect(await stageScheduled(ctx)).toBe(0);
	await dispatchAll(messaging);
	expect(operator.submits).toEqual([]);
	expect(await statusOf(sql, id)).toBe("scheduled");
	await reachSendTimes(sql);
	expect(await statusOf(sql, id)).toBe("accepted");
	expect(await stageScheduled(ctx)).toBe(1);
	await dispatchAll(messaging);
	expect(operator.submits).toMatchObject([{ messageId: id }]);
	expect(await statusOf(sql, id)).toBe("submitted");
});

test.each([
	["in the past", -1_000],
	["more than 30 days ahead", 30 * DAY_MS + 60_000],
])("a time %s is refused by its field, and nothing is paid", async (_, ms) => {
	const { ledger } = messaging;
	const before = ledger.balances.get(organization);
	const message = messageTo(organization, { sendAt: inMs(ms) });
	const [result] = await send(messaging, [message]);
	expect(reasonOf(result)).toBe("invalid_send_at");
	expect(result?.result.value).toMatchObject({
		field: "send_at",
		message: expect.stringContaining("within 30 days"),
	});
	expect(ledger.balances.get(organization)).toBe(before);
});

test("two processes queue what is due once", async () => {
	const { ctx, sql } = messaging;
	const other = await messaging.replica();
	for (let nth = 0; nth < 20; nth++) await schedule();
	await reachSendTimes(sql);
	const staged = await Promise.all([ctx, other.ctx].map(stageScheduled));
	expect((staged[0] ?? 0) + (staged[1] ?? 0)).toBe(20);
	expect((await sql`select from dispatch`).count).toBe(20);
	expect((await sql`select from scheduled_messages`).count).toBe(0);
});

test("its validity counts from its time", async () => {
	const { ctx, sql } = messaging;
	const id = await age(await schedule(), 20);
	await reachSendTimes(sql);
	await stageScheduled(ctx);
	expect(await expireMessages(ctx)).toBe(0);
	const [row] = await sql<{ validMs: number }[]>`
		select extract(epoch from expires_at - due_at)::float8 * 1000 as "validMs"
		from dispatch
		where message_id = ${id}
	`;
	expect(row?.validMs).toBe(LIMITS.validityMs);
	await sql`update dispatch set expires_at = now() - interval '1 second'`;
	expect(await expireMessages(ctx)).toBe(1);
	expect(await outcomesOf(sql, id)).toEqual(["expired"]);
});

test("one that is due is late since its time, and hides none that waits for longer", async () => {
	const { ctx, sql } = messaging;
	await age(await schedule(), 20);
	expect(await findUnsentAge(sql, 10)).toBe(0);
	await reachSendTimes(sql);
	await stageScheduled(ctx);
	const late = await findUnsentAge(sql, 10);
	expect(late).toBeGreaterThan(0.9);
	expect(late).toBeLessThan(DAY_MS / 1_000);
	const old = await sendOne(messaging, messageTo(organization));
	const older = olderId(old, 2);
	await sql`update dispatch set message_id = ${older} where message_id = ${old}`;
	expect(await findUnsentAge(sql, 10)).toBeGreaterThan(
		(2 * DAY_MS) / 1_000 - 1,
	);
});

test("it goes by the route that the rules choose when it is due, or waits for its own", async () => {
	const two = await startTwoRoutes();
	try {
		const { ctx, sql } = two.messaging;
		const sendAt = inMs(HOUR_MS);
		const message = messageTo(two.organization, { sendAt });
		const moved = await sendOne(two.messaging, message);
		two.set({ first: "paused" });
		await reachSendTimes(sql);
		expect(await stageScheduled(ctx)).toBe(1);
		two.set({ first: "up" });
		const kept = await sendOne(two.messaging, message);
		two.set({ first: "paused", second: "paused" });
		await reachSendTimes(sql);
		expect(await stageScheduled(ctx)).toBe(1);
		const rows = await sql`
			select dispatch.route, messages.route as "messageRoute", first_route as "firstRoute"
			from dispatch
			join messages on id = message_id
			order by message_id = ${kept}
		`;
		expect(rows).toEqual([
			{ route: "second", messageRoute: "second", firstRoute: "first" },
			{ route: "first", messageRoute: "first", firstRoute: null },
		]);
		expect(moved).not.toBe(kept);
	} finally {
		await two.close();
	}
});

test("a route that was removed meanwhile gets none, while another one may take it", async () => {
	const two = await startTwoRoutes();
	try {
		const { ctx, sql } = two.messaging;
		await sql`insert into routes (code, kind, state, settings) values ('second', 'smpp', 'removed', '')`;
		const message = messageTo(two.organization, { sendAt: inMs(HOUR_MS) });
		await sendOne(two.messaging, message);
		await reachSendTimes(sql);
		two.set({ first: "paused" });
		expect(await stageScheduled(ctx)).toBe(0);
		await sql`update routes set state = 'active' where code = 'second'`;
		expect(await stageScheduled(ctx)).toBe(1);
	} finally {
		await two.close();
	}
});

test("one whose route was removed while no other is active goes once one is", async () => {
	const two = await startTwoRoutes();
	try {
		const { ctx, sql } = two.messaging;
		const message = messageTo(two.organization, { sendAt: inMs(HOUR_MS) });
		const id = await sendOne(two.messaging, message);
		await sql`insert into routes (code, kind, state, settings) values ('gone', 'smpp', 'removed', '')`;
		await sql`update messages set route = 'gone'`;
		await sql`update scheduled_messages set route = 'gone'`;
		two.set({ first: "draining", second: "paused" });
		await reachSendTimes(sql);
		expect(await stageScheduled(ctx)).toBe(1);
		two.set({ first: "up" });
		expect(await createWaitingMover()(ctx)).toBe(1);
		await two.first.dispatcher.round();
		await two.first.dispatcher.idle();
		expect(await statusOf(sql, id)).toBe("submitted");
	} finally {
		await two.close();
	}
});

test("one that came due while no rule named a route in place of its removed one goes once a rule does", async () => {
	const two = await startTwoRoutes();
	try {
		const { ctx, sql } = two.messaging;
		const message = messageTo(two.organization, { sendAt: inMs(HOUR_MS) });
		const id = await sendOne(two.messaging, message);
		await sql`insert into routes (code, kind, state, settings) values ('gone', 'smpp', 'removed', '')`;
		await sql`update messages set route = 'gone'`;
		await sql`update scheduled_messages set route = 'gone'`;
		two.set({ rules: [{ prefix: "+49", route: "first" }] });
		await reachSendTimes(sql);
		expect(await stageScheduled(ctx)).toBe(1);
		const mover = createWaitingMover();
		expect(await mover(ctx)).toBe(0);
		two.set({ rules: [{ route: "second" }] });
		await eventually(async () => {
			await mover(ctx);
			await two.second.dispatcher.round();
			await two.second.dispatcher.idle();
			expect(await statusOf(sql, id)).toBe("submitted");
		});
	} finally {
		await two.close();
	}
});

describe("of a message that was accepted weeks before it is sent", () => {
	let id: string;

	beforeEach(async () => {
		id = await age(await schedule(), 20);
		await reachSendTimes(messaging.sql);
		await stageScheduled(messaging.ctx);
		await dispatchAll(messaging);
	});

	test("the receipt is applied", async () => {
		const { sql, operator } = messaging;
		await operator.receipt(operator.idOf(id), "delivered");
		await makeAllDue(sql);
		await retryAll(messaging);
		expect(await statusOf(sql, id)).toBe("delivered");
	});
});

test("a message without a receipt ends, also when it is sent after the scan for such has passed it", async () => {
	const { ctx, sql } = messaging;
	const impatient = await messaging.replica({
		limits: { validityMs: 0, noReceiptMs: 0 },
	});
	const endAll = async () => {
		while ((await endWithoutReceipt(impatient.ctx)) > 0);
	};
	const id = await schedule();
	await endAll();
	await reachSendTimes(sql);
	await stageScheduled(ctx);
	await dispatchAll(messaging);
	await endAll();
	expect(await statusOf(sql, id)).toBe("submitted");
	await sql`update late_receipts set due_at = now()`;
	await endAll();
	expect(await outcomesOf(sql, id)).toEqual(["no_receipt"]);
	expect((await sql`select from late_receipts`).count).toBe(0);
});

test("neither a week with scheduled messages is dropped, nor one that a default partition took", async () => {
	const { sql } = messaging;
	const impatient = await messaging.replica({
		clock: () => new Date(Date.now() + 500 * DAY_MS),
	});
	const id = await schedule();
	const stray = await age(await schedule(), 400);
	const week = new Date(Date.now() - 6 * DAY_MS);
	const name = `messages_${week.toISOString().slice(0, 10).replaceAll("-", "")}`;
	expect(await hasWork(sql, name)).toBe(true);
	while ((await dropPartitions(impatient.ctx)) > 0);
	expect(await statusOf(sql, id)).toBe("scheduled");
	expect(await statusOf(sql, stray)).toBe("scheduled");
});
