import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteExpired } from "../src/jobs/delete-expired.ts";
import { storeTraffic } from "../src/jobs/routes/store-traffic.ts";
import { createReceiptJudge } from "../src/receipts/receipt-judge.ts";
import {
	dispatchAll,
	messageTo,
	retryAll,
	sendAll,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import { noResponse, refusedForGood } from "./support/scripted-operator.ts";

const FRENCH = "+33612345678";
const CANADIAN = "+16135550123";
const IRISH = "+353851234567";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});
afterEach(() => messaging.close());

/** Has messages to these numbers taken by the operator; returns their ids. */
async function submit(...numbers: readonly string[]): Promise<string[]> {
	const ids = await sendAll(
		messaging,
		numbers.map((to) => messageTo(organization, { to })),
	);
	await dispatchAll(messaging);
	return ids;
}

async function receive(state: "delivered" | "failed", id: string | undefined) {
	const { operator } = messaging;
	await operator.receipt(operator.idOf(id ?? ""), state);
}

function minuteRows() {
	return messaging.sql`
		select route, sum(submitted)::int as submitted, sum(delivered)::int as delivered, sum(failed)::int as failed
		from route_minutes
		group by route
	`;
}

function hourRows() {
	return messaging.sql`
		select prefix, sum(submitted)::int as submitted, sum(delivered)::int as delivered, sum(failed)::int as failed
		from route_prefix_hours
		group by prefix
		order by prefix
	`;
}

test("messages count in the minute of their submission, and by country in its hour, whenever their receipts come", async () => {
	const [first, second, third] = await submit(FRENCH, CANADIAN, IRISH, FRENCH);
	await receive("delivered", first);
	await storeTraffic(messaging.ctx);
	await messaging.sql`update messages set submitted_at = submitted_at - interval '3 hours'`;
	await messaging.sql`update route_minutes set minute = minute - interval '3 hours'`;
	await messaging.sql`update route_prefix_hours set hour = hour - interval '3 hours'`;
	await receive("delivered", second);
	await receive("failed", third);
	await storeTraffic(messaging.ctx);
	expect(await minuteRows()).toEqual([
		{ route: "scripted", submitted: 4, delivered: 2, failed: 1 },
	]);
	expect(await hourRows()).toEqual([
		{ prefix: "+1", submitted: 1, delivered: 1, failed: 0 },
		{ prefix: "+33", submitted: 2, delivered: 1, failed: 0 },
		{ prefix: "+353", submitted: 1, delivered: 0, failed: 1 },
	]);
	const minutes = await messaging.sql`
		select submitted >= delivered + failed as whole
		from route_minutes
	`;
	expect(new Set(minutes.map(({ whole }) => whole))).toEqual(new Set([true]));
	// Each as the longest that a receipt is waited for.
	const [{ seconds } = { seconds: 0 }] = await messaging.sql<
		{ seconds: number }[]
	>`select sum(receipt_seconds) as seconds from route_minutes`;
	expect(seconds).toBeGreaterThanOrEqual(1_800);
	expect(seconds).toBeLessThan(2_700);
});

test("what the operator refused is no submission, and a receipt that takes the place of a response is one", async () => {
	messaging.operator.script = () => refusedForGood;
	await submit(FRENCH);
	messaging.operator.script = () => noResponse;
	const [unknown] = await sendAll(messaging, [
		messageTo(organization, { to: IRISH }),
	]);
	await messaging.dispatcher.round();
	await messaging.dispatcher.idle();
	await messaging.operator.receipt(`receipt of ${unknown}`, "delivered", {
		addresses: [IRISH],
		numberTails: ["1234567"],
	});
	await messaging.sql`update receipts set due_at = now()`;
	await retryAll(messaging);
	await storeTraffic(messaging.ctx);
	expect(await hourRows()).toEqual([
		{ prefix: "+353", submitted: 1, delivered: 1, failed: 0 },
	]);
});

test("counts that could not be stored are stored later, and none twice", async () => {
	const { ctx, sql } = messaging;
	await submit(FRENCH);
	await sql`alter table route_prefix_hours rename to away`;
	await expect(storeTraffic(ctx)).rejects.toThrow("route_prefix_hours");
	expect(await minuteRows()).toEqual([]);
	await submit(FRENCH);
	await sql`alter table away rename to route_prefix_hours`;
	await storeTraffic(ctx);
	await storeTraffic(ctx);
	expect(await minuteRows()).toEqual([
		{ route: "scripted", submitted: 2, delivered: 0, failed: 0 },
	]);
});

test("processes that store at once add up", async () => {
	const { ctx, sql } = messaging;
	const replicas = await Promise.all(
		Array.from({ length: 4 }, () => messaging.replica()),
	);
	const [{ now } = { now: new Date() }] = await sql<
		{ now: Date }[]
	>`select now() as now`;
	const countries = Array.from({ length: 40 }, (_, n) => `+${21_000 + n * 10}`);
	for (let round = 0; round < 5; round++) {
		for (const [nth, replica] of replicas.entries()) {
			const ordered = nth % 2 === 0 ? countries : countries.toReversed();
			for (const number of ordered)
				replica.ctx.traffic.countSubmitted("shared", number, now);
		}
		await Promise.all(replicas.map((replica) => storeTraffic(replica.ctx)));
	}
	expect(ctx.traffic.take()).toEqual([]);
	expect(await minuteRows()).toMatchObject([
		{ route: "shared", submitted: 4 * 5 * countries.length },
	]);
});

test("minutes are kept for two days, hours for eight", async () => {
	const { ctx, sql } = messaging;
	await sql`
		insert into route_minutes
		select now() - days * interval '1 day', 'a', 1, 0, 0, 0
		from generate_series(0, 20) as days
	`;
	await sql`
		insert into route_prefix_hours
		select now() - days * interval '1 day', 'a', '+33', 1, 0, 0
		from generate_series(0, 20) as days
	`;
	await deleteExpired(ctx);
	expect(await minuteRows()).toMatchObject([{ submitted: 2 }]);
	expect(await hourRows()).toMatchObject([{ submitted: 8 }]);
});

test("receipts of a route are judged by its own past, and not by another one's", async () => {
	const { sql } = messaging;
	expect(await createReceiptJudge()(sql)).toEqual(new Map());
	await sql`
		insert into route_minutes
		select now() - ago * interval '1 minute', route, 100, share * 100, 0, share * 200
		from generate_series(0, 600) as ago,
			(values ('silent', 0.9, 30), ('fine', 0.9, 0), ('never', 0, 0)) as route (route, share, since)
		where ago >= since
	`;
	await sql`
		insert into route_minutes
		select now() - ago * interval '1 minute', 'silent', 100, 0, 0, 0
		from generate_series(0, 29) as ago
	`;
	expect(await createReceiptJudge()(sql)).toEqual(
		new Map([
			["fine", "coming"],
			["never", "undecided"],
			["silent", "missing"],
		]),
	);
});
