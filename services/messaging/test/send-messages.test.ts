import { randomBytes } from "node:crypto";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	acceptedOf,
	messageTo,
	organizationWith,
	reasonOf,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { dispatchOf } from "./support/rows.ts";
import { expectExact } from "./support/stored.ts";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging();
});

afterAll(() => messaging.close());

test("an accepted message is stored, queued and paid for", async () => {
	const organization = await organizationWith(messaging, 10);
	const [result] = await send(messaging, [
		messageTo(organization, {
			to: "33612345678",
			clientReference: "order 7",
			campaignId: uuidv7(),
		}),
	]);
	const accepted = acceptedOf(result);
	expect(accepted).toMatchObject({
		remainingQuota: 9n,
		route: "scripted",
		replayed: false,
	});
	const [row] = await messaging.sql`
		select recipient, body, sender_value, client_reference, segments, status, route
		from messages
		where id = ${accepted.messageId}
	`;
	expect(row).toEqual({
		recipient: "+33612345678",
		body: "Hello",
		sender_value: "Airtower",
		client_reference: "order 7",
		segments: 1,
		status: "accepted",
		route: "scripted",
	});
	expect(await dispatchOf(messaging.sql, accepted.messageId)).toMatchObject({
		state: "queued",
		attempt: 0,
	});
	await expectExact(messaging, organization, 10);
});

test("ids begin with the time and land in this week's partition", async () => {
	const organization = await organizationWith(messaging, 1);
	const id = await sendOne(messaging, messageTo(organization));
	const [row] = await messaging.sql<{ partition: string }[]>`
		select tableoid::regclass::text as partition
		from messages
		where id = ${id}
	`;
	expect(row?.partition).toMatch(/messages_\d{8}$/);
});

test("each message of a batch gets its own response, in order", async () => {
	const organization = await organizationWith(messaging, 10);
	const results = await send(messaging, [
		messageTo(organization),
		messageTo(organization, { to: "nobody" }),
		messageTo(organization, { body: "" }),
		messageTo("not-a-uuid"),
		messageTo(organization, { senderName: "Nobody" }),
		messageTo(organization, { body: "second" }),
	]);
	expect(results.map(reasonOf)).toEqual([
		"accepted",
		"invalid_phone_number",
		"required",
		"unknown_organization",
		"unknown_sender",
		"accepted",
	]);
	expect(results[1]?.result.value).toMatchObject({ field: "to" });
	await expectExact(messaging, organization, 10);
});

test.each([
	["a recipient that is no number", { to: "12" }, "invalid_phone_number", "to"],
	["no text", { body: "" }, "required", "message"],
	["white space alone", { body: " \n\u00a0" }, "required", "message"],
	["NUL in the text", { body: "a\0b" }, "invalid_characters", "message"],
	[
		"1,601 characters",
		{ body: "x".repeat(1_601) },
		"message_too_long",
		"message",
	],
	["11 segments", { body: "é€".repeat(600) }, "message_too_long", "message"],
	[
		"11 segments of UCS-2",
		{ body: "ж".repeat(671) },
		"message_too_long",
		"message",
	],
	[
		"a long reference",
		{ clientReference: "x".repeat(129) },
		"too_long",
		"clientReference",
	],
	[
		"a campaign that is no UUID",
		{ campaignId: "7" },
		"invalid_format",
		"campaignId",
	],
	[
		"a priority that there is not",
		{ priority: "urgent" },
		"unknown_priority",
		"priority",
	],
	[
		"a message class that there is not",
		{ messageClass: "news" },
		"unknown_message_class",
		"messageClass",
	],
	[
		"the message class of our own responses",
		{ messageClass: "opt_out_reply" },
		"unknown_message_class",
		"messageClass",
	],
	["a sender that is no UUID", { senderId: "7" }, "unknown_sender", "senderId"],
	[
		"an unknown sender id",
		{ senderId: uuidv7() },
		"unknown_sender",
		"senderId",
	],
	[
		"an unknown sender name",
		{ senderName: "Other" },
		"unknown_sender",
		"senderName",
	],
	[
		"an impossible sender name",
		{ senderName: "a\0b" },
		"unknown_sender",
		"senderName",
	],
])("%s is refused and costs nothing", async (_, fields, reason, field) => {
	const organization = await organizationWith(messaging, 1);
	const [result] = await send(messaging, [messageTo(organization, fields)]);
	expect(result?.result.value).toMatchObject({ reason, field });
	await expectExact(messaging, organization, 1);
});

test.each([
	["ten segments", { body: "x".repeat(1_530) }],
	[
		"1,600 characters of UCS-2 in surrogate pairs are too many, 670 units are not",
		{ body: "😀".repeat(330) },
	],
	["a reference of 128 characters", { clientReference: "x".repeat(128) }],
	["a one-time password", { priority: "otp" }],
	["a reference of 128 emoji", { clientReference: "👍".repeat(128) }],
	[
		"a national number of the default country",
		{ to: "0612345678", defaultCountry: "FR" },
	],
])("%s is accepted", async (_, fields) => {
	const organization = await organizationWith(messaging, 1);
	await sendOne(messaging, messageTo(organization, fields));
	await expectExact(messaging, organization, 1);
});

test("a short balance is spent in order and the rest refused", async () => {
	const short = await organizationWith(messaging, 2);
	const rich = await organizationWith(messaging, 10);
	const results = await send(messaging, [
		...[short, rich, short, short, rich].map((id) => messageTo(id)),
	]);
	expect(results.map(reasonOf)).toEqual([
		"accepted",
		"accepted",
		"accepted",
		"quota_exhausted",
		"accepted",
	]);
	expect(acceptedOf(results[2]).remainingQuota).toBe(0n);
	await expectExact(messaging, short, 2);
	await expectExact(messaging, rich, 10);
});

test("a suspended organization sends nothing", async () => {
	const organization = await organizationWith(messaging, 2);
	messaging.ledger.suspended.add(organization);
	const [result] = await send(messaging, [messageTo(organization)]);
	expect(reasonOf(result)).toBe("organization_suspended");
	await expectExact(messaging, organization, 2);
});

test("without the accounts service messages are refused as unavailable, and replays still get their response", async () => {
	const organization = await organizationWith(messaging, 2);
	const idempotency = { key: "replay", fingerprint: randomBytes(32) };
	const message = messageTo(organization, { idempotency });
	const id = await sendOne(messaging, message);
	messaging.ledger.down = true;
	try {
		const results = await send(messaging, [messageTo(organization), message]);
		expect(results.map(reasonOf)).toEqual(["service_unavailable", "accepted"]);
		expect(acceptedOf(results[1]).messageId).toBe(id);
	} finally {
		messaging.ledger.down = false;
	}
	await expectExact(messaging, organization, 2);
});

test("long messages of one pair of numbers carry different references", async () => {
	const organization = await organizationWith(messaging, 2);
	const body = "x".repeat(200);
	await sendOne(messaging, messageTo(organization, { body }));
	await sendOne(messaging, messageTo(organization, { body }));
	const rows = await messaging.sql<{ reference: number }[]>`
		select concat_reference as reference
		from messages
		where organization_id = ${organization}
		order by id
	`;
	const [first = 0, second] = rows.map((row) => row.reference);
	expect(second).toBe((first + 1) % 256);
});
