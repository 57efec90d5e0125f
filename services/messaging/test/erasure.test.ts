import { randomBytes, randomUUID } from "node:crypto";
import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { AddOptOutsResponseSchema } from "@airtower/proto/messaging/v1/opt_outs";
import { create, toBinary } from "@bufbuild/protobuf";
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	it,
	onTestFinished,
} from "vitest";
import { erasableTables } from "../src/store/personal-data.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	ACCOUNT,
	acceptedAs,
	noResponse,
} from "./support/scripted-operator.ts";

let test: TestMessaging;

beforeAll(async () => {
	test = await startTestMessaging();
});
afterAll(() => test.close());

const PHONE = "+33612340901";
const OTHER = "+33612340902";
const TEXT = "a text about nobody else";

/** Sends a message as campaigns do, and lets it end; the relay has published its event. */
async function endedMessage(organizationId: string, to: string, body: string) {
	const idempotency = { key: to.slice(1), fingerprint: randomBytes(32) };
	const clientReference = `lead ${PHONE.slice(1)}`;
	const campaignId = randomUUID();
	const fields = { to, body, campaignId, idempotency, clientReference };
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

async function parkReceipt(
	to: string,
	{ id = "1", address = to.slice(1) } = {},
) {
	await test.sql`
		insert into receipts (
			operator_account, operator_message_id, match_keys, number_tails,
			state, operator_error, raw, addresses, misses, due_at
		)
		values (
			${ACCOUNT}, ${id}, ${[id]}, ${[tailOf(to)]},
			'delivered', '', ${`id:${id} to:${address} text:${TEXT}`}, ${[address, "acme"]}, 1, 'infinity'
		)
	`;
}

/** A number's last digits, by which receipts are compared. */
const tailOf = (phone: string) => phone.slice(-7);

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
			erased: 3,
			pending: 0,
		});
		const named = await sql`
			select recipient from messages where position(${PHONE.slice(1)} in client_reference) > 0
		`;
		expect(named).toEqual([{ recipient: OTHER }]);
		await sql`update messages set client_reference = null`;
		expect(await tablesWith(sql, tailOf(PHONE))).toEqual([]);
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

	it("finds it in receipts without its country's digits", async () => {
		const { sql } = test;
		const to = "+33612340908";
		await parkReceipt(to, { address: "0612340908" });
		expect(await eraseAll(sql, erasableTables, { phone: to })).toEqual({
			erased: 1,
			pending: 0,
		});
		expect(await tablesWith(sql, tailOf(to))).toEqual([]);
	});

	it("takes its last digits from submits without a response, once their messages have ended", async () => {
		const { sql, operator } = test;
		const organizationId = await organizationWith(test, 10);
		const to = "+33612340909";
		operator.script = () => noResponse;
		onTestFinished(() => {
			operator.script = (message) => acceptedAs(message.messageId);
		});
		const id = await sendOne(test, messageTo(organizationId, { to }));
		await test.dispatcher.idle();
		await dispatchAll(test);
		await parkReceipt(to);
		const erase = () => eraseAll(sql, erasableTables, { phone: to });
		expect(await erase()).toEqual({ erased: 0, pending: 2 });
		await sql`
			with gone as (delete from dispatch where message_id = ${id})
			update messages
			set status = 'failed', reason = 'expired', finished_at = now()
			where id = ${id}
		`;
		expect(await erase()).toEqual({ erased: 2, pending: 0 });
		expect(await tablesWith(sql, tailOf(to))).toEqual([]);
	});

	it("keeps it on a receipt by which a message under way may still be found", async () => {
		const { sql, operator } = test;
		const organizationId = await organizationWith(test, 10);
		const to = "+33612340910";
		const id = await sendOne(test, messageTo(organizationId, { to }));
		await dispatchAll(test);
		await parkReceipt(to, { id: operator.idOf(id) });
		const erase = () => eraseAll(sql, erasableTables, { phone: to });
		expect(await erase()).toEqual({ erased: 0, pending: 2 });
		await sql`
			update messages
			set status = 'delivered', finished_at = now()
			where id = ${id}
		`;
		expect(await erase()).toEqual({ erased: 2, pending: 0 });
		expect(await tablesWith(sql, tailOf(to))).toEqual([]);
	});

	it("takes it out of responses that are kept for repeated requests, as to a new opt-out", async () => {
		const organizationId = randomUUID();
		const phone = "+33612340999";
		const optOut = { recipient: phone };
		const response = toBinary(
			AddOptOutsResponseSchema,
			create(AddOptOutsResponseSchema, { added: 1, optOut }),
		);
		await test.sql`
			insert into idempotency_keys (organization_id, key, fingerprint, response)
			values (${organizationId}, 'opt-out 1', '', ${Buffer.from(response)})
		`;
		await eraseAll(test.sql, erasableTables, { phone });
		const kept = await test.sql`
			select from idempotency_keys where organization_id = ${organizationId}
		`;
		expect(kept).toHaveLength(0);
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
		for (const gone of ["33612340905", "33612340906", "of ours"])
			expect(await tablesWith(sql, gone)).toEqual([]);
		expect(await tablesWith(sql, "theirs")).not.toEqual([]);
	});

	it("takes the texts with which it responds to words, and those of others stay", async () => {
		const { sql } = test;
		const [own, foreign] = [randomUUID(), randomUUID()];
		await sql`
			insert into opt_out_settings (organization_id, stop_text, help_text)
			values (${own}, 'Bye from Ada', 'Call Ada'), (${foreign}, 'Bye from Eve', null)
		`;
		await eraseAll(sql, erasableTables, { organizationId: own });
		expect(await tablesWith(sql, "Ada")).toEqual([]);
		expect(await tablesWith(sql, "from Eve")).toEqual(["opt_out_settings"]);
	});

	it("takes its numbers from the receipts of its messages, and leaves those of others", async () => {
		const { sql, operator } = test;
		const own = await organizationWith(test, 10);
		const foreign = await organizationWith(test, 10);
		const numbers = ["+33612340911", "+33612340912"] as const;
		const ids = [
			await endedMessage(own, numbers[0], "ours"),
			await endedMessage(foreign, numbers[1], "theirs"),
		] as const;
		await parkReceipt(numbers[0], { id: operator.idOf(ids[0]) });
		await parkReceipt(numbers[1], { id: operator.idOf(ids[1]) });
		const erase = () => eraseAll(sql, erasableTables, { organizationId: own });
		expect(await erase()).toEqual({ erased: 3, pending: 0 });
		expect(await tablesWith(sql, tailOf(numbers[0]))).toEqual([]);
		expect(await tablesWith(sql, tailOf(numbers[1]))).toContain("receipts");
		expect(await erase()).toEqual({ erased: 0, pending: 0 });
	});
});
