import { randomBytes } from "node:crypto";
import { setRetention } from "@airtower/platform/privacy/retentions";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { deleteExpired } from "../src/jobs/delete-expired.ts";
import { processCallbacks } from "../src/jobs/process-callbacks.ts";
import { migrations } from "../src/migrations.ts";
import { erasableTables } from "../src/store/personal-data.ts";
import {
	hearStatus,
	receiveFrom,
	storePreference,
} from "./support/bare-callbacks.ts";
import {
	acceptAll,
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	type OwnNumber,
	outcomesOf,
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

/** A user writes and gets a text back, which is being submitted; returns its id. */
async function talk(own: OwnNumber, waId: string, to: string, body: string) {
	await receiveFrom(ctx, own, [waId]);
	await processCallbacks(ctx);
	const { organizationId, phoneNumberId } = own;
	const content = { case: "text", value: { body } } as const;
	const idempotency = {
		key: `reply:${to.slice(1)}`,
		fingerprint: randomBytes(32),
	};
	const clientReference = `lead ${to}`;
	const [id = ""] = await acceptAll(ctx, [
		{
			organizationId,
			phoneNumberId,
			to,
			content,
			idempotency,
			clientReference,
		},
	]);
	await ctx.dispatcher.round();
	await eventually(() => expect(provider.submitted.at(-1)?.messageId).toBe(id));
	return id;
}

async function sent(id: string, waId?: string): Promise<void> {
	provider.respond(id, {
		kind: "taken",
		providerMessageId: `wamid.${id}`,
		waId,
	});
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
}

const erase = (subject: { phone?: string; organizationId?: string }) =>
	eraseAll(ctx.sql, erasableTables, subject);

describe("erasing a number", () => {
	it("leaves it, WhatsApp's names for it and its texts in no table, and keeps the counts", async () => {
		const own = await addNumber(ctx);
		const id = await talk(own, "5215512345678", "+525512345678", "Hola");
		await sent(id, "5215512345678");
		const count = () => ctx.sql`
			select direction, status
			from messages
			where organization_id = ${own.organizationId}
			order by id
		`;
		const before = await count();
		const names = ["5215512345678", "525512345678", "Hola"];
		for (const name of names.slice(0, 2))
			expect(await tablesWith(ctx.sql, name)).not.toEqual([]);
		expect(await erase({ phone: "+525512345678" })).toEqual({
			erased: 5,
			pending: 0,
		});
		for (const name of names)
			expect(await tablesWith(ctx.sql, name)).toEqual([]);
		expect(await count()).toEqual(before);
		await hearStatus(ctx, own, id, "delivered");
		expect(await statusOf(ctx, id)).toBe("delivered");
		expect(await outcomesOf(ctx, id)).toBe(1);
	});

	it("leaves nothing of what the provider says later of a message's failure but its reason", async () => {
		const own = await addNumber(ctx);
		const phone = "+33612340921";
		const id = await talk(own, phone.slice(1), phone, "Hello");
		await sent(id);
		await erase({ phone });
		const details = `no account for ${phone.slice(1)}`;
		const errors = [{ code: 131_026, error_data: { details } }];
		await hearStatus(ctx, own, id, "failed", { errors });
		await erase({ phone });
		expect(await tablesWith(ctx.sql, phone.slice(1))).toEqual([]);
		expect(await statusOf(ctx, id)).toBe("failed");
	});

	it.each(["+541123456789", "+5491123456789"])(
		"takes an Argentine mobile in both forms, by %s",
		async (phone) => {
			const own = await addNumber(ctx);
			// The user writes first, so that no conversation knows both.
			const [mobile, dialled] = ["5491123456789", "541123456789"];
			await sent(await talk(own, mobile, `+${mobile}`, "Hola"));
			const { organizationId, phoneNumberId } = own;
			const [id = ""] = await acceptAll(ctx, [
				{
					organizationId,
					phoneNumberId,
					to: `+${dialled}`,
					content: {
						case: "template",
						value: { name: "notice", language: "en_US", category: "utility" },
					},
				},
			]);
			await ctx.dispatcher.round();
			await sent(id, mobile);
			const stop = { wa_id: mobile, value: "stop", timestamp: 1_772_300_000 };
			await storePreference(ctx, own, stop);
			await processCallbacks(ctx);
			await ctx.sql`delete from outbox`;
			await ctx.sql`delete from idempotency_keys`;
			expect(await erase({ phone })).toMatchObject({ pending: 0 });
			for (const name of [mobile, dialled])
				expect(await tablesWith(ctx.sql, name)).toEqual([]);
		},
	);

	it("keeps it on a message that is being sent, with its conversation, and takes it afterwards", async () => {
		const own = await addNumber(ctx);
		const to = "+33612340911";
		const id = await talk(own, to.slice(1), to, "Until tonight");
		expect(await erase({ phone: to })).toEqual({ erased: 3, pending: 2 });
		await sent(id);
		expect(await erase({ phone: to })).toEqual({ erased: 2, pending: 0 });
		for (const gone of [to.slice(1), "Until tonight"])
			expect(await tablesWith(ctx.sql, gone)).toEqual([]);
	});

	it("within one organization leaves it to the others", async () => {
		const [own, foreign] = [await addNumber(ctx), await addNumber(ctx)];
		const to = "+33612340912";
		for (const number of [own, foreign])
			await sent(await talk(number, to.slice(1), to, "Hello"));
		await erase({ phone: to, organizationId: own.organizationId });
		const left = await ctx.sql`
			select distinct organization_id as id from messages where recipient = ${to}
		`;
		expect(left).toEqual([{ id: foreign.organizationId }]);
	});
});

it("erasing an organization leaves no number of its users in any table", async () => {
	const own = await addNumber(ctx);
	const users = ["33612340913", "33612340914"];
	for (const user of users)
		await sent(await talk(own, user, `+${user}`, "Hello"));
	// The relay has published what was accepted.
	await ctx.sql`delete from outbox`;
	expect(await erase({ organizationId: own.organizationId })).toMatchObject({
		pending: 0,
	});
	for (const user of users) expect(await tablesWith(ctx.sql, user)).toEqual([]);
});

it("what users wrote is kept for as long as the organization with the shortest retention allows", async () => {
	const own = await addNumber(ctx);
	await receiveFrom(ctx, own, ["33612340915"]);
	await processCallbacks(ctx);
	await ctx.sql`update callbacks set received_at = now() - interval '3 days'`;
	await deleteExpired(ctx);
	expect(await tablesWith(ctx.sql, "33612340915")).toContain("callbacks");
	await setRetention(ctx.sql, own.organizationId, 2);
	await deleteExpired(ctx);
	expect(await tablesWith(ctx.sql, "33612340915")).not.toContain("callbacks");
});
