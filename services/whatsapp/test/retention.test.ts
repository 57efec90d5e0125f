import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { tablesWith } from "@airtower/platform/testing/privacy";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { deleteExpired } from "../src/jobs/delete-expired.ts";
import { deleteOldRecords } from "../src/jobs/delete-old-records.ts";
import { processCallbacks } from "../src/jobs/process-callbacks.ts";
import { migrations } from "../src/migrations.ts";
import { hearStatus, receiveFrom } from "./support/bare-callbacks.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	type OwnNumber,
	statusOf,
} from "./support/bare-context.ts";

/** The recipient of the first message of `accept`. */
const USER = "33612345000";

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;
let own: OwnNumber;

beforeEach(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
	own = await addNumber(ctx);
});
afterEach(() => database.drop());

/** All rows are so much older; what waited for the bus is published. */
async function grow(age: string): Promise<void> {
	const at = ctx.sql`now() - ${age}::interval`;
	await ctx.sql`
		update messages
		set
			created_at = ${at},
			id = (
				lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
				|| substr(replace(id::text, '-', ''), 13)
			)::uuid
		where id not in (select message_id from dispatch)
	`;
	await ctx.sql`update conversations set created_at = ${at}, last_message_at = ${at}`;
	await ctx.sql`update callbacks set received_at = ${at}`;
	await ctx.sql`delete from outbox`;
}

async function deleteAll(): Promise<void> {
	while ((await deleteExpired(ctx)) + (await deleteOldRecords(ctx)) > 0);
}

async function sendTo(status: "sent" | "delivered"): Promise<string> {
	const [id = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	await eventually(() => expect(provider.submitted.at(-1)?.messageId).toBe(id));
	provider.respond(id);
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
	if (status !== "sent") await hearStatus(ctx, own, id, status);
	return id;
}

async function hearFromUser(): Promise<void> {
	await receiveFrom(ctx, own, [USER]);
	await processCallbacks(ctx);
}

it("a user's number is in no table once messages and conversation are 13 months old, and is kept until then", async () => {
	await sendTo("delivered");
	await sendTo("sent");
	await hearFromUser();
	await grow("12 months");
	await deleteAll();
	expect(await tablesWith(ctx.sql, USER)).toEqual([
		"conversations",
		"messages",
	]);
	await grow("13 months 8 days");
	await deleteAll();
	expect(await tablesWith(ctx.sql, USER)).toEqual([]);
});

it("the setting says after how many months", async () => {
	ctx = await bareContext(database, provider, { recordMonths: 2 });
	await sendTo("delivered");
	await grow("1 month");
	await deleteAll();
	expect(await tablesWith(ctx.sql, USER)).toContain("messages");
	await grow("2 months 8 days");
	await deleteAll();
	expect(await tablesWith(ctx.sql, USER)).toEqual([]);
});

it("a conversation of long ago stays while users and organization write, and loses its old messages alone", async () => {
	await hearFromUser();
	await grow("3 years");
	const id = await sendTo("delivered");
	await deleteAll();
	const messages = await ctx.sql`select id from messages`;
	expect(messages).toEqual([{ id }]);
	expect(await ctx.sql`select from conversations`).toHaveLength(1);
});

it("a message that has not ended stays, with what is to be sent of it", async () => {
	const [waiting = ""] = await accept(ctx, own);
	const old = waiting.replace(/^.{13}/, "01700000-0000");
	await ctx.sql`update messages set id = ${old}`;
	await ctx.sql`update dispatch set message_id = ${old}`;
	await deleteAll();
	expect(await statusOf(ctx, old)).toBe("accepted");
	expect(await ctx.sql`select from dispatch`).toHaveLength(1);
	await ctx.sql`
		update messages
		set status = 'unknown', unknown_until = now()
	`;
	await ctx.sql`delete from dispatch`;
	await deleteAll();
	expect(await statusOf(ctx, old)).toBe("unknown");
});

it("on the 31st what is of the last thirteen months stays, also where that month has no 31st", async () => {
	await sendTo("delivered");
	await grow(`${Date.now() - Date.parse("2026-03-01T12:00:00Z")} milliseconds`);
	const left = async (now: string) => {
		ctx = { ...ctx, clock: () => new Date(now) };
		await deleteAll();
		return ctx.sql`select from messages`;
	};
	expect(await left("2027-03-31T12:00:00Z")).toHaveLength(1);
	expect(await left("2027-04-02T12:00:00Z")).toHaveLength(0);
});
