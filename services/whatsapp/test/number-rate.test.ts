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

const THROTTLED = {
	kind: "refused",
	code: 130_429,
	httpStatus: 429,
	isTransient: false,
	text: "",
} as const;

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
});
afterAll(() => database.drop());

/** Resolves once the provider's response to the message is recorded. */
async function settled(messageId: string): Promise<void> {
	await eventually(async () => {
		const owned = await ctx.sql`
			select
			from dispatch
			where message_id = ${messageId}
			and token is not null
		`;
		expect(owned).toHaveLength(0);
	});
}

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
		provider.respond(refused, THROTTLED);
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
	it("rests twice as long each time it is throttled, until a message of it is taken", async () => {
		const own = await addNumber(ctx);
		const { phoneNumberId } = own;
		const ids = await accept(ctx, own, 5);
		const respond = async (id: string, isThrottled: boolean) => {
			await ctx.sql`update dispatch set due_at = now() where message_id = ${id}`;
			await ctx.sql`update dispatch set due_at = now() + interval '1 hour' where message_id <> ${id}`;
			await ctx.sql`update pacing set paused_until = now(), free_at = now()`;
			const before = provider.submitted.length;
			await eventually(async () => {
				await ctx.dispatcher.round();
				expect(provider.submitted).toHaveLength(before + 1);
			});
			provider.respond(id, isThrottled ? THROTTLED : undefined);
			await settled(id);
			const [row] = await ctx.sql<[{ rest: number }]>`
				select extract(epoch from paused_until - now())::float8 as rest
				from pacing
				where phone_number_id = ${phoneNumberId}
			`;
			return Math.round(row.rest);
		};
		const [first = "", ...others] = ids;
		const rests: number[] = [];
		for (const id of others) rests.push(await respond(id, true));
		expect(rests).toEqual([1, 2, 4, 8]);
		await respond(first, false);
		expect(await respond(others[0] ?? "", true)).toBe(1);
	});

	it("rests once for all that was throttled at the same time", async () => {
		const own = await addNumber(ctx);
		const { phoneNumberId } = own;
		const ids = await accept(ctx, own, 3);
		await ctx.sql`update pacing set paused_until = now(), free_at = now()`;
		await eventually(async () => {
			await ctx.dispatcher.round();
			const submitted = provider.submitted.filter((one) =>
				ids.includes(one.messageId),
			);
			expect(submitted).toHaveLength(3);
		});
		for (const id of ids) {
			provider.respond(id, THROTTLED);
			await settled(id);
		}
		const [row] = await ctx.sql`
			select throttles from pacing where phone_number_id = ${phoneNumberId}
		`;
		expect(row).toEqual({ throttles: 1 });
	});
});
