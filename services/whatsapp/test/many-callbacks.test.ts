import type { Tx } from "@airtower/platform/database/database";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import type { SendWhatsAppMessageSchema } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import {
	createCallbackJob,
	processCallbacks,
} from "../src/jobs/process-callbacks.ts";
import { migrations } from "../src/migrations.ts";
import { receiveFrom } from "./support/bare-callbacks.ts";
import {
	acceptAll,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	type OwnNumber,
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

describe("many callbacks", () => {
	const usersFrom = (first: number, count: number) =>
		Array.from({ length: count }, (_, index) => `336000${first + index}`);
	const openWindows = async (own: OwnNumber) =>
		(
			await ctx.sql`
				select from conversations
				where organization_id = ${own.organizationId}
				and window_expires_at > now()
			`
		).length;

	it("are applied a few items at a time, also one that has more by itself", async () => {
		const own = await addNumber(ctx);
		await receiveFrom(ctx, own, usersFrom(10_000, 3));
		await receiveFrom(ctx, own, usersFrom(20_000, 4));
		await receiveFrom(ctx, own, usersFrom(30_000, 25));
		expect(await processCallbacks(ctx, 5)).toBe(1);
		expect(await openWindows(own)).toBe(3);
		expect(await processCallbacks(ctx, 5)).toBe(1);
		expect(await processCallbacks(ctx, 5)).toBe(1);
		expect(await openWindows(own)).toBe(32);
		expect(await processCallbacks(ctx, 5)).toBe(0);
	});

	it("that a database cannot do in time are tried in smaller parts until it can", async () => {
		const own = await addNumber(ctx);
		await receiveFrom(ctx, own, usersFrom(40_000, 40));
		const slow = createSlowDatabase(10);
		const job = createCallbackJob();
		await eventually(async () => {
			expect(await job({ ...ctx, sql: slow })).toBe(1);
		});
		expect(await openWindows(own)).toBe(40);
	});

	/** Ends a transaction like the server's time-out, once it has inserted more messages than `most`. */
	function createSlowDatabase(most: number) {
		const begin = ctx.sql.begin.bind(ctx.sql);
		return new Proxy(ctx.sql, {
			get(target, name) {
				if (name !== "begin") return Reflect.get(target, name);
				return (options: string, work: (sql: Tx) => Promise<unknown>) =>
					begin(options, async (sql) => {
						const result = await work(sql);
						const [row] = await sql<{ count: number }[]>`
							select count(*)::int
							from messages
							where xmin = pg_current_xact_id()::xid
						`;
						if ((row?.count ?? 0) > most)
							throw new Error("write CONNECTION_CLOSED");
						return result;
					});
			},
		});
	}
});

describe("a user whom the provider knows by another number than the dialled one", () => {
	const DIALLED = "+541112345678";
	const NAME = "5491112345678";

	async function submitted(
		own: OwnNumber,
		to: string,
		content: NonNullable<
			MessageInitShape<typeof SendWhatsAppMessageSchema>["content"]
		>,
	): Promise<string> {
		const { organizationId, phoneNumberId } = own;
		const [messageId = ""] = await acceptAll(ctx, [
			{ organizationId, phoneNumberId, to, content },
		]);
		await ctx.dispatcher.round();
		await eventually(async () => {
			expect(await statusOf(ctx, messageId)).toBe("submitting");
			expect(provider.submitted.at(-1)).toMatchObject({ messageId });
		});
		return messageId;
	}

	it("is sent texts under either number once it has written", async () => {
		const own = await addNumber(ctx);
		const id = await submitted(own, DIALLED, {
			case: "template",
			value: { name: "notice", language: "en_US", category: "utility" },
		});
		provider.respond(id, {
			kind: "taken",
			providerMessageId: `wamid.${id}`,
			waId: NAME,
		});
		await eventually(async () => {
			const named = await ctx.sql`
				select from conversations where wa_id = ${NAME}
			`;
			expect(named).toHaveLength(1);
		});
		await receiveFrom(ctx, own, [NAME]);
		await processCallbacks(ctx);
		for (const to of [DIALLED, `+${NAME}`, `+${NAME}`, DIALLED])
			await submitted(own, to, { case: "text", value: { body: "Hello" } });
	});
});
