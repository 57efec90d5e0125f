import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { migrations } from "../src/migrations.ts";
import {
	accept,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	statusOf,
} from "./support/bare-context.ts";

const MESSAGES = 300;
/** Most of one claim. */
const CLAIMED = 200;

let database: TestDatabase;
let provider: HeldProvider;
let ctx: Context;

beforeAll(async () => {
	database = await testDatabase(migrations);
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
});
afterAll(() => database.drop());

/** Looks for work until so many messages went out; none is on its way to the provider then. */
async function untilSubmitted(count: number): Promise<void> {
	await eventually(async () => {
		await ctx.dispatcher.round();
		expect(provider.submitted).toHaveLength(count);
	});
}

it("a provider that takes messages and says nothing gets one every few seconds, and the others once it responds", async () => {
	const own = await addNumber(ctx);
	const ids = await accept(ctx, own, MESSAGES);
	await untilSubmitted(CLAIMED);
	for (const { messageId } of provider.submitted)
		provider.respond(messageId, { kind: "unknown", text: "timeout" });
	await eventually(() => expect(ctx.dispatcher.underWay()).toBe(0));
	expect(await ctx.dispatcher.round()).toBe(0);
	await untilSubmitted(CLAIMED + 1);
	expect(await ctx.dispatcher.round()).toBe(0);
	provider.respond(provider.submitted.at(-1)?.messageId ?? "");
	await untilSubmitted(MESSAGES);
	for (const id of ids) provider.respond(id);
	await eventually(() => expect(ctx.dispatcher.underWay()).toBe(0));
	const statuses = await Promise.all(ids.map((id) => statusOf(ctx, id)));
	expect(statuses.filter((one) => one === "unknown")).toHaveLength(CLAIMED);
	expect(statuses.filter((one) => one === "sent")).toHaveLength(
		MESSAGES - CLAIMED,
	);
});
