import { randomBytes, randomUUID } from "node:crypto";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { erasableTables } from "../src/store/personal-data.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

let test: TestMessaging;

beforeAll(async () => {
	test = await startTestMessaging();
});
afterAll(() => test.close());

const PHONE = "+33612340901";
const OTHER = "+33612340902";
const TEXT = "a text about nobody else";

/** Sends a message and lets it end; the relay has published its event. */
async function endedMessage(organizationId: string, to: string, body: string) {
	const idempotency = {
		key: `campaign:${randomUUID()}:${to}`,
		fingerprint: randomBytes(32),
	};
	const fields = { to, body, idempotency };
	const id = await sendOne(test, messageTo(organizationId, fields));
	await dispatchAll(test);
	await test.sql`
		update messages
		set
			status = 'failed', reason = 'rejected', finished_at = now(),
			operator_error = ${`no route to ${to}`}
		where id = ${id}
	`;
	await test.sql`delete from outbox`;
	return id;
}

async function parkReceipt(to: string) {
	await test.sql`
		insert into receipts (
			operator_account, operator_message_id, match_keys, state, operator_error, raw, addresses, misses, due_at
		)
		values (
			'a', '1', '{1}', 'delivered', '', ${`id:1 to:${to.slice(1)} text:${TEXT}`}, ${[to.slice(1), "acme"]}, 1, 'infinity'
		)
	`;
}

describe("erasing a number", () => {
	it("leaves it and its texts in no table, and other numbers and all counts as they are", async () => {
		const { sql } = test;
		const organizationId = await organizationWith(test, 10);
		await endedMessage(organizationId, PHONE, TEXT);
		await endedMessage(organizationId, OTHER, "to the other");
		await parkReceipt(PHONE);
		const count = () =>
			sql`select status, segments from messages where organization_id = ${organizationId}`;
		const before = await count();
		expect(await tablesWith(sql, PHONE.slice(1))).not.toEqual([]);
		expect(await eraseAll(sql, erasableTables, { phone: PHONE })).toEqual({
			...{ erased: 3, pending: 0 },
		});
		expect(await tablesWith(sql, PHONE.slice(1))).toEqual([]);
		expect(await tablesWith(sql, TEXT)).toEqual([]);
		expect(await count()).toEqual(before);
		expect(await tablesWith(sql, OTHER)).not.toEqual([]);
	});

	it("keeps it on messages under way, says how many, and takes it once they have ended", async () => {
		const { sql } = test;
		const organizationId = await organizationWith(test, 10);
		const to = "+33612340903";
		const id = await sendOne(test, messageTo(organizationId, { to }));
		const erase = () => eraseAll(sql, erasableTables, { phone: to });
		expect(await erase()).toEqual({ erased: 0, pending: 1 });
		expect(await tablesWith(sql, to)).not.toEqual([]);
		await sql`
			update messages
			set status = 'delivered', finished_at = now()
			where id = ${id}
		`;
		expect(await erase()).toEqual({ erased: 1, pending: 0 });
		expect(await tablesWith(sql, to)).toEqual([]);
	});

	it("within one organization leaves it to the others", async () => {
		const { sql } = test;
		const own = await organizationWith(test, 10);
		const foreign = await organizationWith(test, 10);
		const to = "+33612340904";
		await endedMessage(own, to, "own");
		await endedMessage(foreign, to, "foreign");
		const subject = { phone: to, organizationId: own };
		expect(await eraseAll(sql, erasableTables, subject)).toMatchObject({
			erased: 2,
		});
		const left = await sql`
			select organization_id as id, body from messages where recipient = ${to}
		`;
		expect(left).toEqual([{ id: foreign, body: "foreign" }]);
	});
});

describe("erasing an organization", () => {
	it("leaves no number and no text of its messages, and those of others as they are", async () => {
		const { sql } = test;
		const own = await organizationWith(test, 10);
		const foreign = await organizationWith(test, 10);
		await endedMessage(own, "+33612340905", "one of ours");
		await endedMessage(own, "+33612340906", "two of ours");
		await endedMessage(foreign, "+33612340907", "theirs");
		const erased = await eraseAll(sql, erasableTables, {
			organizationId: own,
		});
		expect(erased).toEqual({ erased: 4, pending: 0 });
		for (const gone of ["+33612340905", "+33612340906", "of ours"])
			expect(await tablesWith(sql, gone)).toEqual([]);
		expect(await tablesWith(sql, "theirs")).not.toEqual([]);
	});
});
