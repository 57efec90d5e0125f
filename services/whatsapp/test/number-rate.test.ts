import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { migrations } from "../src/migrations.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
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

describe("the rate of a number", () => {
	it("holds over all processes together, and no message goes twice", async () => {
		const limits = { ratePerSecond: 20 };
		const processes = await Promise.all(
			Array.from({ length: 4 }, () => bareContext(database, provider, limits)),
		);
		const own = await addNumber(ctx);
		const ids = new Set(await accept(ctx, own, 60));
		const startedAt = Date.now();
		await eventually(async () => {
			await Promise.all(processes.map((one) => one.dispatcher.round()));
			for (const id of ids) provider.respond(id);
			const sent = provider.submitted.filter((one) => ids.has(one.messageId));
			expect(sent).toHaveLength(60);
		});
		// 60 messages at 20/s, with half a second's worth ahead.
		expect(Date.now() - startedAt).toBeGreaterThan(2_000);
		await eventually(async () => {
			const left =
				await ctx.sql`select from dispatch where phone_number_id = ${own.phoneNumberId}`;
			expect(left).toHaveLength(0);
		});
		const submitted = provider.submitted.map((one) => one.messageId);
		expect(submitted.toSorted()).toEqual([...ids].toSorted());
	});

	it("rests for a second where the provider throttles it, however often the throttled message was refused", async () => {
		const own = await addNumber(ctx);
		const [refused = ""] = await accept(ctx, own);
		await ctx.sql`update dispatch set refusals = 9 where message_id = ${refused}`;
		await ctx.dispatcher.round();
		const submits = (id: string) =>
			provider.submitted.filter((one) => one.messageId === id).length;
		await eventually(() => expect(submits(refused)).toBe(1));
		provider.respond(refused, {
			kind: "refused",
			code: 130_429,
			httpStatus: 429,
			isTransient: false,
			text: "",
		});
		const waits = await eventually(async () => {
			const [row] = await ctx.sql<{ number: number; message: number }[]>`
				select
					extract(epoch from paused_until - now())::float8 as number,
					extract(epoch from due_at - now())::float8 as message
				from pacing
				join dispatch using (phone_number_id)
				where message_id = ${refused}
				and refusals = 10
			`;
			if (row === undefined) throw new Error("not recorded yet");
			return row;
		});
		expect(waits.message).toBeGreaterThan(400);
		expect(waits.number).toBeLessThan(2);
		const [next = ""] = await accept(ctx, own);
		await eventually(async () => {
			await ctx.dispatcher.round();
			expect(submits(next)).toBe(1);
		});
		expect(submits(refused)).toBe(1);
	});
});
