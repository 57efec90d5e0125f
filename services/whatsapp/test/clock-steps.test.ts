import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { followDatabaseClock } from "../src/jobs/follow-clock.ts";
import { processCallbacks } from "../src/jobs/process-callbacks.ts";
import { migrations } from "../src/migrations.ts";
import { storeStatus } from "./support/bare-callbacks.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	statusOf,
} from "./support/bare-context.ts";

const BACK_MS = -5 * 60_000;

let database: TestDatabase;
let ctx: Context;
const provider = createHeldProvider();

beforeEach(async () => {
	database = await testDatabase(migrations, { hasMovableClock: true });
	ctx = await bareContext(database, provider);
	await followDatabaseClock(ctx);
});
afterEach(() => database.drop());

async function stepBack(): Promise<void> {
	await database.setClock(BACK_MS);
	await followDatabaseClock(ctx);
}

it("messages go at once when the database's clock stepped back 5 minutes, also of a number that sent before", async () => {
	const own = await addNumber(ctx);
	const [first = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	provider.respond(first);
	await ctx.sql`update pacing set free_at = now()`;
	const [second = ""] = await accept(ctx, own);
	await stepBack();
	await eventually(async () => {
		await ctx.dispatcher.round();
		const submitted = provider.submitted.map(({ messageId }) => messageId);
		expect(submitted).toContain(second);
	});
	provider.respond(second);
});

it("a callback that waits when the database's clock stepped back 5 minutes is applied at once", async () => {
	const own = await addNumber(ctx);
	const [id = ""] = await accept(ctx, own);
	await storeStatus(ctx, own, id, "delivered");
	await stepBack();
	await eventually(async () => {
		await processCallbacks(ctx);
		expect(await statusOf(ctx, id)).toBe("delivered");
	});
});
