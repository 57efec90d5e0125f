import { transaction } from "@airtower/platform/database/database";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { processCallbacks } from "../src/jobs/process-callbacks.ts";
import { migrations } from "../src/migrations.ts";
import { erasableTables } from "../src/store/personal-data.ts";
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

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
});
afterAll(() => database.drop());

const erase = (phone: string) => eraseAll(ctx.sql, erasableTables, { phone });

async function hear(own: OwnNumber, user: string): Promise<void> {
	await receiveFrom(ctx, own, [user]);
	await processCallbacks(ctx);
}

const messagesOf = ({ organizationId }: OwnNumber) => ctx.sql`
	select from messages where organization_id = ${organizationId}
`;

it("a status moves the erased message that it names, with our id or without, and none that echoes our id alone", async () => {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	await eventually(() => expect(provider.submitted.at(-1)?.messageId).toBe(id));
	provider.respond(id);
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
	await erase(provider.submitted.at(-1)?.to ?? "");
	await hearStatus(ctx, own, id, "failed", { id: "wamid.foreign" });
	expect(await statusOf(ctx, id)).toBe("sent");
	const noEcho = { biz_opaque_callback_data: undefined };
	await hearStatus(ctx, own, id, "delivered", noEcho);
	expect(await statusOf(ctx, id)).toBe("delivered");
});

it("a user's erased message is not stored again where it comes again, or its callback waits for another item", async () => {
	const own = await addNumber(ctx);
	const user = "33612340922";
	await hear(own, user);
	await ctx.sql`
		update callbacks
		set state = 'stored'
		where position(convert_to(${user}, 'UTF8') in body) > 0
	`;
	expect(await erase(`+${user}`)).toEqual({ erased: 2, pending: 1 });
	await hear(own, user);
	expect(await tablesWith(ctx.sql, user)).toEqual(["callbacks"]);
	expect(await erase(`+${user}`)).toEqual({ erased: 2, pending: 0 });
	expect(await messagesOf(own)).toHaveLength(1);
});

it("one that comes again in the middle of an erasure goes with the next", async () => {
	const own = await addNumber(ctx);
	const user = "33612340924";
	await hear(own, user);
	await receiveFrom(ctx, own, [user]);
	await whileErasing(user, () => processCallbacks(ctx));
	expect(await messagesOf(own)).toHaveLength(2);
	expect(await erase(`+${user}`)).toMatchObject({ pending: 0 });
	expect(await tablesWith(ctx.sql, user)).toEqual([]);
});

it("one that is erased twice at a time is known when it comes again", async () => {
	const own = await addNumber(ctx);
	const user = "33612340925";
	await hear(own, user);
	await whileErasing(user, () => erase(`+${user}`));
	await hear(own, user);
	expect(await messagesOf(own)).toHaveLength(1);
});

/** Erases the messages of a user in a transaction that ends once `work` waits for it. */
async function whileErasing(
	user: string,
	work: () => Promise<unknown>,
): Promise<void> {
	const subject = { phone: `+${user}`, organizationId: undefined };
	const table = erasableTables.find(({ name }) => name === "messages");
	const waiting = await transaction(ctx.sql, async (sql) => {
		await table?.erase(sql, subject, "");
		const over = work();
		await eventually(async () => {
			const locks = await ctx.sql`
				select from pg_stat_activity
				where datname = current_database()
				and wait_event_type = 'Lock'
			`;
			expect(locks).toHaveLength(1);
		});
		return { over };
	});
	await waiting.over;
}
