import type { TestDatabase } from "@airtower/platform/testing/database";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { erasableTables } from "../src/store/personal-data.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	openDatabase,
	outcomeEvent,
	takeIn,
} from "./support/stage.ts";

/** A reference that holds the digits of the number. */
const NAMING = 'the "lead" of +33 6 12 34 09 21\\';

let database: TestDatabase;
let ctx: Context;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
	ctx = await createStageContext(database);
	receiver = await startReceiver();
});
afterAll(async () => {
	await ctx.poster.close();
	await receiver.close();
	await database.drop();
});

it("erasing a number leaves it in no table, and callbacks that wait go out without it", async () => {
	const { organizationId } = await addEndpoint(ctx, receiver.url);
	const to = "+33612340921";
	const clientReference = "order 7";
	await takeIn(ctx, [
		outcomeEvent(organizationId, { to, clientReference }),
		outcomeEvent(organizationId, { to, clientReference: NAMING }),
		outcomeEvent(organizationId, {
			to: "+33612340922",
			clientReference: NAMING,
		}),
	]);
	await ctx.sql`
		insert into dead_letters (
			consumer_group, event_id, topic, type, key, organization_id, payload, reason, detail
		)
		values (
			'webhooks', gen_random_uuid(), 't', 't', '', ${organizationId}, ${Buffer.from(`x ${to}`)}, 'r', ''
		)
	`;
	expect(await eraseAll(ctx.sql, erasableTables, { phone: to })).toEqual({
		erased: 3,
		pending: 0,
	});
	expect(await tablesWith(ctx.sql, to)).toEqual([]);
	await deliverAll(ctx);
	const recipients = receiver.received.map(({ body }) => {
		const { data } = JSON.parse(body.toString());
		return [data.to, data.client_reference];
	});
	expect(recipients).toContainEqual(["", "order 7"]);
	expect(recipients).toContainEqual(["", null]);
	expect(recipients).toContainEqual(["+33612340922", NAMING]);
});

it("erasing an organization leaves no number of its messages in any table, and those of others", async () => {
	const own = await addEndpoint(ctx, receiver.url);
	const foreign = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, [
		outcomeEvent(own.organizationId, { to: "+33612340923" }),
		outcomeEvent(foreign.organizationId, { to: "+33612340924" }),
	]);
	const subject = { organizationId: own.organizationId };
	expect(await eraseAll(ctx.sql, erasableTables, subject)).toEqual({
		erased: 1,
		pending: 0,
	});
	expect(await tablesWith(ctx.sql, "+33612340923")).toEqual([]);
	expect(await tablesWith(ctx.sql, "+33612340924")).toEqual(["events"]);
});
