import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { eraseAll } from "@airtower/platform/testing/privacy";
import {
	type MarketingPreference,
	WhatsAppEventSchema,
} from "@airtower/proto/common/v1/whatsapp_event";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { processCallbacks } from "../src/jobs/process-callbacks.ts";
import { migrations } from "../src/migrations.ts";
import { erasableTables } from "../src/store/personal-data.ts";
import { hearStatus, storePreference } from "./support/bare-callbacks.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	statusOf,
} from "./support/bare-context.ts";

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
});
afterAll(() => database.drop());

/** What the organization's events say, by their order. */
async function eventsOf(
	organizationId: string,
): Promise<MarketingPreference[]> {
	const rows = await ctx.sql<{ payload: Buffer }[]>`
		select payload
		from outbox
		where topic = ${topics.whatsappEvent}
		and organization_id = ${organizationId}
		order by position
	`;
	return rows.flatMap(({ payload }) => {
		const { kind } = fromBinary(WhatsAppEventSchema, payload);
		return kind.case === "marketingPreference" ? [kind.value] : [];
	});
}

async function phoneOf(phoneNumberId: string): Promise<string> {
	const [row] = await ctx.sql`
		select phone from phone_numbers where id = ${phoneNumberId}
	`;
	return row?.phone;
}

/** Applies all that is stored, callback by callback, in processes beside each other. */
async function processAll(...processes: readonly Context[]): Promise<void> {
	await Promise.all(
		processes.map(async (ctx) => {
			while ((await processCallbacks(ctx, 1)) > 0);
		}),
	);
}

const ORDERS = [
	[0, 1, 2],
	[0, 2, 1],
	[1, 0, 2],
	[1, 2, 0],
	[2, 0, 1],
	[2, 1, 0],
] as const;

it("of what a user said the newest counts, in whatever order it comes, however often, to however many processes", async () => {
	const own = await addNumber(ctx);
	const said = [
		{ value: "stop", timestamp: 1_772_300_000 },
		{ value: "resume", timestamp: 1_772_300_010 },
		{ value: "stop", timestamp: 1_772_300_020 },
	];
	for (const [nth, order] of ORDERS.entries())
		for (const place of [...order, ...order.toReversed()]) {
			const one = said[place];
			if (one !== undefined)
				await storePreference(ctx, own, { wa_id: `3361240100${nth}`, ...one });
		}
	await processAll(ctx, await bareContext(database, provider));
	const events = await eventsOf(own.organizationId);
	const sender = (await phoneOf(own.phoneNumberId)).slice(1);
	for (const nth of ORDERS.keys()) {
		const ofUser = events.filter(
			({ recipient }) => recipient === `+3361240100${nth}`,
		);
		const states = ofUser.map(({ isStopped }) => isStopped);
		expect(states.at(-1)).toBe(true);
		for (const [index, state] of states.entries())
			expect(state).not.toBe(states[index - 1]);
		for (const event of ofUser) expect(event.sender).toBe(sender);
	}
});

it("of the same second the stop counts", async () => {
	const own = await addNumber(ctx);
	const at = { wa_id: "33612402001", timestamp: 1_772_300_000 };
	for (const value of ["resume", "stop", "resume"])
		await storePreference(ctx, own, { ...at, value });
	await processAll(ctx);
	const states = await eventsOf(own.organizationId);
	expect(states.at(-1)?.isStopped).toBe(true);
});

it("a Mexican mobile that WhatsApp names by its old number is told by the current one", async () => {
	const own = await addNumber(ctx);
	const stop = { value: "stop", timestamp: 1_772_300_000 };
	await storePreference(ctx, own, { wa_id: "5215512345678", ...stop });
	await processAll(ctx);
	expect(await eventsOf(own.organizationId)).toMatchObject([
		{ recipient: "+525512345678", isStopped: true },
	]);
});

it("what is said of a number that is nobody's, or cannot be read, is kept with a note", async () => {
	const own = await addNumber(ctx);
	const stop = {
		wa_id: "33612403001",
		value: "stop",
		timestamp: 1_772_300_000,
	};
	await storePreference(ctx, { providerId: "nobody" }, stop);
	await storePreference(ctx, own, { ...stop, value: "maybe" });
	await processAll(ctx);
	const notes = await ctx.sql`
		select note from callbacks where note <> '' order by note
	`;
	expect(notes).toEqual([
		{ note: "about something unknown" },
		{ note: "unreadable user preference" },
	]);
	expect(await eventsOf(own.organizationId)).toEqual([]);
});

it("a message that the provider refuses with 131050 fails as blocked, and tells that the user has stopped", async () => {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	await eventually(() => expect(provider.submitted.at(-1)?.messageId).toBe(id));
	provider.respond(id, {
		kind: "refused",
		code: 131_050,
		httpStatus: 400,
		isTransient: false,
		text: "",
	});
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("failed"));
	expect(await eventsOf(own.organizationId)).toMatchObject([
		{ recipient: "+33612345000", isStopped: true },
	]);
});

it("so does a status that tells of it, however often; what is no marketing goes to the user all the same", async () => {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	const failed = { errors: [{ code: 131_050 }] };
	for (let times = 0; times < 2; times++)
		await hearStatus(ctx, own, id, "failed", failed);
	expect(await statusOf(ctx, id)).toBe("failed");
	expect(await eventsOf(own.organizationId)).toMatchObject([
		{ recipient: "+33612345000", isStopped: true },
	]);
	const [next = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	await eventually(() =>
		expect(provider.submitted.map(({ messageId }) => messageId)).toContain(
			next,
		),
	);
});

it("an erasure takes what the user said", async () => {
	const own = await addNumber(ctx);
	const stop = { value: "stop", timestamp: 1_772_300_000 };
	await storePreference(ctx, own, { wa_id: "33612404001", ...stop });
	await processAll(ctx);
	await ctx.sql`delete from outbox`;
	const count = () => ctx.sql`
		select from marketing_preferences where recipient = '+33612404001'
	`;
	expect(await count()).toHaveLength(1);
	await eraseAll(ctx.sql, erasableTables, { phone: "+33612404001" });
	expect(await count()).toHaveLength(0);
});
