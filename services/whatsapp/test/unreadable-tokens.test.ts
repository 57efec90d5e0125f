import { parseKeyRing } from "@airtower/platform/sealing/key-ring";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { keyRingText } from "@airtower/platform/testing/keys";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { createDispatcher } from "../src/dispatching/dispatcher.ts";
import { migrations } from "../src/migrations.ts";
import { listPhoneNumbers } from "../src/store/phone-numbers.ts";
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

it("a number whose token is under a key that one process does not have yet is not stopped: the others send for it", async () => {
	const own = await addNumber(ctx);
	const { organizationId, phoneNumberId } = own;
	const newer = parseKeyRing(keyRingText("newer"));
	const token = sealSecret(newer, "token", phoneNumberId);
	await ctx.sql`update phone_numbers set access_token = ${token} where id = ${phoneNumberId}`;
	const [id = ""] = await accept(ctx, own);
	await ctx.dispatcher.round();
	const waitMs = await eventually(async () => {
		const [row] = await ctx.sql<{ waitMs: number }[]>`
			select extract(epoch from due_at - now())::float8 * 1000 as "waitMs"
			from dispatch
			where message_id = ${id}
			and token is null
		`;
		return row?.waitMs ?? Promise.reject(new Error("not settled yet"));
	});
	expect(waitMs).toBeLessThanOrEqual(10_000);
	const [number] = await listPhoneNumbers(ctx.sql, organizationId);
	expect(number).toMatchObject({ status: "active", stoppedReason: null });
	expect(provider.submitted).toEqual([]);
	await ctx.sql`update dispatch set due_at = now() where message_id = ${id}`;
	const other = await bareContext(database, provider);
	await createDispatcher({ ...other, ring: newer }).round();
	await eventually(() =>
		expect(provider.submitted).toMatchObject([
			{ messageId: id, accessToken: "token" },
		]),
	);
	provider.respond(id);
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
});
