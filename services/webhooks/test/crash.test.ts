import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { neverRun, troubledSql } from "@airtower/platform/testing/troubled-sql";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { rescueDeliveries } from "../src/jobs/rescue-deliveries.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	deliveriesTo,
	endLeases,
	openDatabase,
	outcomeEvents,
	startDue,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let receiver: Receiver;
let ctx: Context;
let other: Context;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	receiver = await startReceiver();
	ctx = await createStageContext(database);
	other = await createStageContext(database);
	return async () => {
		await ctx.poster.close();
		await other.poster.close();
		await receiver.close();
	};
});

it("what a dead process had leased is sent again, with the same ids, once its leases end", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 5));
	receiver.respond = () => {};
	await startDue(ctx);
	await eventually(() => expect(receiver.received).toHaveLength(5));

	receiver.respond = (response) => response.writeHead(200).end();
	await deliverAll(other);
	expect(await rescueDeliveries(other)).toBe(0);
	expect(receiver.received).toHaveLength(5);

	await endLeases(other);
	expect(await rescueDeliveries(other)).toBe(5);
	await deliverAll(other);
	const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
	expect(ids.slice(5).toSorted()).toEqual(ids.slice(0, 5).toSorted());
	for (const delivery of await deliveriesTo(ctx, endpoint.id))
		expect(delivery).toMatchObject({ state: "delivered", attempt: 2 });
});

it("a process that stood still between the claim and the post sends nothing; others send it once", async () => {
	const stale = await createStageContext(database, { leaseMs: 0 });
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(stale, outcomeEvents(endpoint.organizationId, 3));
	await startDue(stale);
	await stale.sender.idle();
	expect(receiver.received).toEqual([]);
	await endLeases(other);
	expect(await rescueDeliveries(other)).toBe(3);
	await deliverAll(other);
	expect(receiver.received).toHaveLength(3);
	await stale.poster.close();
});

it("a zombie's late settle changes nothing and counts nothing", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 1));
	const held: (() => void)[] = [];
	receiver.respond = (response) => {
		held.push(() => response.writeHead(500).end());
	};
	await startDue(ctx);
	await eventually(() => expect(held).toHaveLength(1));

	await endLeases(other);
	await rescueDeliveries(other);
	receiver.respond = (response) => response.writeHead(200).end();
	await deliverAll(other);

	for (const response of held) response();
	await ctx.sender.idle();
	expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
		{ state: "delivered", attempt: 2 },
	]);
	const [row] = await ctx.sql`
		select failures
		from endpoints
		where id = ${endpoint.id}
	`;
	expect(row).toEqual({ failures: 0 });
	const fenced = await ctx.telemetry.fenced.get();
	expect(fenced.values[0]?.value).toBe(1);
});

it("two processes share the work and send nothing twice", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 400));
	await Promise.all([deliverAll(ctx), deliverAll(other)]);
	await deliverAll(ctx);
	const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
	expect(ids).toHaveLength(400);
	expect(new Set(ids).size).toBe(400);
});

it("a settle that the database refuses at first is repeated", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 1));
	receiver.respond = async (response) => {
		await ctx.sql`
			select pg_terminate_backend(pid)
			from pg_stat_activity
			where application_name = ${database.schema}
			and pid <> pg_backend_pid()
		`;
		response.writeHead(200).end();
	};
	await startDue(ctx);
	await eventually(async () =>
		expect(await deliveriesTo(other, endpoint.id)).toMatchObject([
			{ state: "delivered", attempt: 1 },
		]),
	);
});

it("what a claim has taken is sent when the claim fails halfway", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 5));
	await ctx.sql`alter table endpoints rename to away`;
	await expect(ctx.sender.round()).rejects.toThrow();
	await ctx.sql`alter table away rename to endpoints`;
	await startDue(ctx);
	await deliverAll(ctx);
	expect(receiver.received).toHaveLength(5);
});

it("what came of a callback is recorded once the database is back, however long it was away: one post", async () => {
	const { fates, sql } = troubledSql(database.connect());
	const own = await createStageContext(database, { sql });
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(own, outcomeEvents(endpoint.organizationId, 1));
	let failures = 0;
	fates.set("with outcome as materialized", (run) =>
		++failures <= 8 ? neverRun(run) : run(),
	);
	for (let round = 0; round < 3; round++) await deliverAll(own);
	expect(receiver.received).toHaveLength(1);
	expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
		{ state: "delivered", attempt: 1 },
	]);
	await own.poster.close();
});
