import { testDatabase } from "@airtower/platform/testing/database";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import { claimDispatch } from "../src/store/dispatch/claims.ts";
import {
	accept,
	acceptOfEach,
	addNumber,
	bareContext,
	createHeldProvider,
} from "./support/bare-context.ts";

const UNCLAIMABLE = 1_000;
const MESSAGES = 300;
const LIMIT = 10;

test.each([
	[
		"whose organizations are held",
		"insert into suspended_organizations select organization_id from phone_numbers where id <> $1",
	],
	[
		"that the provider has stopped",
		"update phone_numbers set status = 'stopped', stopped_reason = 'expired' where id <> $1",
	],
	[
		"that are paused",
		"update pacing set paused_until = now() + interval '1 hour' where phone_number_id <> $1",
	],
])("a thousand numbers %s cost one that sends no claim", async (_, stop) => {
	const database = await testDatabase(migrations);
	onTestFinished(() => database.drop());
	const ctx = await bareContext(database, createHeldProvider());
	for (let made = 0; made < UNCLAIMABLE; made += 50) {
		const numbers = await Promise.all(
			Array.from({ length: 50 }, () => addNumber(ctx)),
		);
		await acceptOfEach(ctx, numbers);
	}
	const own = await addNumber(ctx);
	await accept(ctx, own, MESSAGES);
	await database.sql.unsafe(stop, [own.phoneNumberId]);
	let claimed = 0;
	for (let claims = 0; claims < MESSAGES / LIMIT; claims++) {
		const rows = await claimDispatch(ctx.sql, {
			token: ctx.lease.token(),
			limit: LIMIT,
			ratePerSecond: 100_000,
			burstMs: 500,
		});
		claimed += rows.length;
	}
	expect(claimed).toBe(MESSAGES);
});
