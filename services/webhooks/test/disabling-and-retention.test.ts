import { transaction } from "@airtower/platform/database/database";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { deleteExpired } from "../src/jobs/delete-expired.ts";
import { disableEndpoints } from "../src/jobs/disable-endpoints.ts";
import { endAbandoned } from "../src/jobs/end-abandoned.ts";
import { redriveDeliveries } from "../src/store/deliveries.ts";
import { measureDeliveries } from "../src/store/measure-deliveries.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	deliveriesTo,
	isBlocked,
	killAll,
	letTimePass,
	openDatabase,
	outcomeEvent,
	outcomeEvents,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	ctx = await createStageContext(database);
	receiver = await startReceiver();
	return async () => {
		await ctx.poster.close();
		await receiver.close();
	};
});

/** Moves an endpoint's record of failures into the past. */
async function age(endpointId: string, days: number): Promise<void> {
	await ctx.sql`
		update endpoints
		set
			failing_since = failing_since - ${days} * interval '1 day',
			last_failed_at = last_failed_at - ${days} * interval '1 day'
		where id = ${endpointId}
	`;
}

async function statusOf(endpointId: string) {
	const [row] = await ctx.sql<{ status: string; reason: string | null }[]>`
		select status, disabled_reason as reason
		from endpoints
		where id = ${endpointId}
	`;
	return row;
}

it("410 disables the endpoint and ends all its deliveries", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 20));
	receiver.respond = (response) => response.writeHead(410).end();
	await deliverAll(ctx);
	expect(await statusOf(endpoint.id)).toEqual({
		status: "disabled",
		reason: "gone",
	});
	expect(receiver.received.length).toBeLessThanOrEqual(8);
	await takeIn(ctx, [outcomeEvent(endpoint.organizationId)]);
	expect(await deliveriesTo(ctx, endpoint.id)).toHaveLength(20);
});

describe("an endpoint that does nothing but fail", () => {
	beforeEach(() => database.sql`truncate endpoints, events, delivery_queue`);

	const failing = async (attempts: number) => {
		receiver.respond = (response) => response.writeHead(500).end();
		const endpoint = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(endpoint.organizationId, attempts - 1));
		await deliverAll(ctx);
		await age(endpoint.id, 5);
		await takeIn(ctx, outcomeEvents(endpoint.organizationId, 1));
		await deliverAll(ctx);
		return endpoint;
	};

	it("for five days, at least 20 times, is disabled, and its deliveries end", async () => {
		const endpoint = await failing(20);
		expect(await disableEndpoints(ctx)).toBe(1);
		expect(await statusOf(endpoint.id)).toEqual({
			status: "disabled",
			reason: "failing",
		});
		await letTimePass(ctx);
		while ((await endAbandoned(ctx)) > 0);
		for (const delivery of await deliveriesTo(ctx, endpoint.id))
			expect(delivery.state).toBe("dead");
	});

	it("fewer than 20 times stays active", async () => {
		const endpoint = await failing(19);
		expect(await disableEndpoints(ctx)).toBe(0);
		expect(await statusOf(endpoint.id)).toMatchObject({ status: "active" });
	});

	it("for less than five days stays active", async () => {
		receiver.respond = (response) => response.writeHead(500).end();
		const endpoint = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(endpoint.organizationId, 30));
		await deliverAll(ctx);
		await age(endpoint.id, 30);
		expect(await disableEndpoints(ctx)).toBe(0);
	});

	it("but for one success stays active", async () => {
		const endpoint = await failing(25);
		receiver.respond = (response) => response.writeHead(200).end();
		await takeIn(ctx, outcomeEvents(endpoint.organizationId, 1));
		await deliverAll(ctx);
		expect(await disableEndpoints(ctx)).toBe(0);
		expect(await statusOf(endpoint.id)).toMatchObject({ status: "active" });
	});
});

describe("what is past its retention", () => {
	const age = (days: number) => database.sql`
		update events
		set created_at = created_at - ${days} * interval '1 day'
	`;
	const counts = async () => {
		const [row] = await database.sql<
			{ events: number; queued: number; dead: number; attempts: number }[]
		>`
			select
				(select count(*)::int from events) as events,
				(select count(*)::int from delivery_queue) as queued,
				(select count(*)::int from dead_deliveries) as dead,
				(select count(*)::int from attempts) as attempts
		`;
		return row;
	};
	beforeEach(
		() =>
			database.sql`truncate events, delivery_queue, dead_deliveries, attempts`,
	);

	it("goes after 30 days: events with what is dead and what was attempted", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		receiver.respond = (response) => response.writeHead(410).end();
		await takeIn(ctx, outcomeEvents(organizationId, 3));
		await deliverAll(ctx);
		await age(29);
		await deleteExpired(ctx);
		expect(await counts()).toEqual({
			events: 3,
			queued: 0,
			dead: 3,
			attempts: 3,
		});
		await age(2);
		await deleteExpired(ctx);
		expect(await counts()).toEqual({
			events: 0,
			queued: 0,
			dead: 0,
			attempts: 0,
		});
		expect(await deliveriesTo(ctx, id)).toEqual([]);
	});

	it("stays while a delivery of it is not over", async () => {
		const { organizationId } = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 2));
		await age(60);
		await deleteExpired(ctx);
		expect(await counts()).toMatchObject({ events: 2, queued: 2 });
	});

	it("goes also behind more events that are not over than are looked at together", async () => {
		const stuck = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(stuck.organizationId, 1_500));
		await age(1);
		const { organizationId } = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 3));
		await database.sql`
			delete from delivery_queue
			where endpoint_id <> ${stuck.id}
		`;
		await age(60);
		for (let round = 0; round < 2; round++) await deleteExpired(ctx);
		expect(await counts()).toMatchObject({ events: 1_500, queued: 1_500 });
	});

	it("stays when its dead delivery is being queued again meanwhile", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 1));
		await killAll(ctx, id);
		await age(60);
		const { deletion } = await transaction(database.sql, async (sql) => {
			await redriveDeliveries(sql, organizationId, 1);
			const deletion = deleteExpired(ctx);
			await Promise.race([deletion, eventually(() => isBlocked(database))]);
			return { deletion };
		});
		await deletion;
		expect(await counts()).toMatchObject({ events: 1, queued: 1 });
		await deliverAll(ctx);
		expect(receiver.received).toHaveLength(1);
	});
});

it("the time that callbacks wait for their first attempt leaves out those of endpoints that fail", async () => {
	const untriedS = async () => (await measureDeliveries(ctx.sql, 100)).untriedS;
	const before = await untriedS();
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 2));
	await ctx.sql`
		update delivery_queue
		set due_at = now() - interval '1 hour'
		where endpoint_id = ${endpoint.id}
	`;
	expect(await untriedS()).toBeGreaterThanOrEqual(3_600);
	await ctx.sql`update endpoints set failing_since = now() where id = ${endpoint.id}`;
	expect(await untriedS()).toBeLessThan(before + 600);
	await ctx.sql`update endpoints set failing_since = null where id = ${endpoint.id}`;
	await deliverAll(ctx);
	expect(await untriedS()).toBeLessThan(before + 600);
});

it("a thousand endpoints that are disabled do not make callbacks to one that fails count as late", async () => {
	const failing = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(failing.organizationId, 1));
	await ctx.sql`
		update endpoints
		set failing_since = now()
		where id = ${failing.id}
	`;
	await ctx.sql`
		insert into endpoints (
			id, organization_id, url, subscribed_events, status, disabled_reason, disabled_at, failing_since, secret
		)
		select gen_random_uuid(), gen_random_uuid(), '', '{}', 'disabled', 'failing', now(), now() - interval '9 days', ''
		from generate_series(1, 1000)
	`;
	await ctx.sql`
		update delivery_queue
		set due_at = now() - interval '1 hour'
		where endpoint_id = ${failing.id}
	`;
	const { count, untriedS } = await measureDeliveries(ctx.sql, 100);
	expect(count).toBeGreaterThan(0);
	expect(untriedS).toBeLessThan(600);
});
