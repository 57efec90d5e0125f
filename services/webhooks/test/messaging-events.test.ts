import { randomUUID } from "node:crypto";
import { setRetention } from "@airtower/platform/privacy/retentions";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { deleteExpired } from "../src/jobs/delete-expired.ts";
import { erasableTables } from "../src/store/personal-data.ts";
import {
	inboundEvent,
	occurredAt,
	optedOutEvent,
	toBusEvent,
} from "./support/messaging-events.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	openDatabase,
	outcomeEvent,
	takeIn,
} from "./support/stage.ts";

const KINDS = ["message.received", "recipient.opted_out", "message.canceled"];
const FROM = "+33612340931";
const TEXT = 'Oui, "demain" \\ à 9 h: "to":"+33612340932" 👍';

let database: TestDatabase;
let ctx: Context;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
	ctx = await createStageContext(database);
	receiver = await startReceiver();
});
beforeEach(async () => {
	receiver.received.length = 0;
	await database.sql`truncate events, delivery_queue, dead_letters, retention`;
});
afterAll(async () => {
	await ctx.poster.close();
	await receiver.close();
	await database.drop();
});

const subscribe = (organizationId: string = randomUUID(), kinds = KINDS) =>
	addEndpoint(ctx, receiver.url, organizationId, kinds);
const bodies = () =>
	receiver.received.map(({ body }) => JSON.parse(body.toString()));
const storedBodies = async () => {
	const rows = await ctx.sql<{ body: string }[]>`
		select body
		from events
		order by id
	`;
	return rows.map(({ body }) => JSON.parse(body));
};
const age = (days: number) => ctx.sql`
	update events
	set created_at = created_at - ${days} * interval '1 day'
`;

it("a text that came in arrives once, signed, as it was written", async () => {
	const { organizationId, secret } = await subscribe();
	const event = inboundEvent(organizationId, { from: FROM, body: TEXT });
	for (let times = 0; times < 2; times++) await takeIn(ctx, [event]);
	await deliverAll(ctx);
	const [first, ...others] = receiver.received;
	expect(others).toEqual([]);
	const body = first?.body.toString() ?? "";
	const key = Buffer.from(secret).toString("base64");
	const verified = new Webhook(key).verify(body, {
		"webhook-id": String(first?.headers["webhook-id"]),
		"webhook-timestamp": String(first?.headers["webhook-timestamp"]),
		"webhook-signature": String(first?.headers["webhook-signature"]),
	});
	expect(verified).toMatchObject({
		id: event.id,
		type: "message.received",
		data: {
			message_id: event.key,
			channel: "sms",
			from: FROM,
			to: "+33644630001",
			text: TEXT,
			encoding: "ucs2",
			parts: 1,
			is_complete: true,
			keyword: null,
			received_at: "2026-01-02T03:04:05.006Z",
		},
	});
});

it("who opted out, and what was taken back, arrives at who subscribes to it, and at nobody else", async () => {
	const { organizationId } = await subscribe();
	await subscribe(organizationId, ["message.delivered", "message.failed"]);
	await takeIn(ctx, [
		inboundEvent(organizationId, { from: FROM, keyword: "SHOP" }),
		optedOutEvent(organizationId, { recipient: FROM, sender: "" }),
		optedOutEvent(organizationId, { recipient: FROM, sender: "ACME" }),
		outcomeEvent(organizationId, { to: FROM, status: "canceled" }),
		inboundEvent(randomUUID(), { from: FROM }),
	]);
	await deliverAll(ctx);
	expect(bodies()).toHaveLength(4);
	expect(bodies()).toEqual(
		expect.arrayContaining([
			expect.objectContaining({
				type: "message.received",
				data: expect.objectContaining({ from: FROM, keyword: "SHOP" }),
			}),
			expect.objectContaining({
				type: "recipient.opted_out",
				data: {
					recipient: FROM,
					sender: null,
					source: "keyword",
					occurred_at: "2026-01-02T03:04:05.006Z",
				},
			}),
			expect.objectContaining({
				type: "recipient.opted_out",
				data: expect.objectContaining({ sender: "ACME" }),
			}),
			expect.objectContaining({
				type: "message.canceled",
				data: expect.objectContaining({
					to: FROM,
					status: "canceled",
					error: null,
				}),
			}),
		]),
	);
});

it("an event of a kind that this release does not know is refused, to be parked", async () => {
	const organizationId = randomUUID();
	const unknown = toBusEvent({ eventKey: "x", organizationId, occurredAt });
	await expect(takeIn(ctx, [unknown])).rejects.toThrow("kind is unknown");
});

it("erasing a number leaves neither it nor its texts in any table, and callbacks that wait go out without", async () => {
	const { organizationId } = await subscribe();
	await takeIn(ctx, [
		inboundEvent(organizationId, { from: FROM, body: TEXT }),
		optedOutEvent(organizationId, { recipient: FROM }),
		inboundEvent(organizationId, { from: "+33612340933", body: TEXT }),
	]);
	expect(await eraseAll(ctx.sql, erasableTables, { phone: FROM })).toEqual({
		erased: 2,
		pending: 0,
	});
	expect(await tablesWith(ctx.sql, FROM)).toEqual([]);
	await deliverAll(ctx);
	const data = bodies().map((body) => body.data);
	expect(data).toContainEqual(
		expect.objectContaining({ from: "", to: "", text: "" }),
	);
	expect(data).toContainEqual(expect.objectContaining({ recipient: "" }));
	expect(data).toContainEqual(
		expect.objectContaining({ from: "+33612340933", text: TEXT }),
	);
});

it("a text goes after its organization's time, others after the deployment's; what is around it stays", async () => {
	const own = await subscribe();
	const other = await subscribe();
	await setRetention(ctx.sql, own.organizationId, 2);
	await takeIn(ctx, [
		inboundEvent(own.organizationId, { from: FROM, body: TEXT }),
		inboundEvent(other.organizationId, { from: FROM, body: TEXT }),
	]);
	await deliverAll(ctx);
	const texts = async () =>
		(await storedBodies()).map(({ data }) => data.text).sort();
	await age(1);
	await deleteExpired(ctx);
	expect(await texts()).toEqual([TEXT, TEXT]);
	await age(2);
	await deleteExpired(ctx);
	expect(await texts()).toEqual(["", TEXT]);
	const { textDays } = ctx;
	await age(textDays);
	await deleteExpired({ ...ctx, eventDays: 2 * textDays });
	expect(await texts()).toEqual(["", ""]);
	for (const { data } of await storedBodies())
		expect(data).toMatchObject({ from: FROM, parts: 1 });
});

it("a text that an endpoint still waits for is kept until it has it, though none is kept after that", async () => {
	const { organizationId } = await subscribe();
	await setRetention(ctx.sql, organizationId, 0);
	await takeIn(ctx, [inboundEvent(organizationId, { body: TEXT })]);
	await deleteExpired(ctx);
	await deliverAll(ctx);
	expect(bodies().map(({ data }) => data.text)).toEqual([TEXT]);
	await deleteExpired(ctx);
	expect(await tablesWith(ctx.sql, "demain")).toEqual([]);
});

it("an erasure finds a phone whose operator left out the code of its country, and no phone of another country", async () => {
	const { organizationId } = await subscribe();
	const from = FROM.replace("+33", "0");
	await takeIn(ctx, [
		inboundEvent(organizationId, { from, body: TEXT }),
		inboundEvent(organizationId, { from, to: "+447400000001" }),
	]);
	const erased = await eraseAll(ctx.sql, erasableTables, { phone: FROM });
	expect(erased).toEqual({ erased: 1, pending: 0 });
	expect((await storedBodies()).map(({ data }) => data.from)).toEqual([
		"",
		from,
	]);
});
