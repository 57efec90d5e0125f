import { randomBytes } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency-records";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { IdempotencySchema } from "@airtower/proto/common/v1/idempotency";
import {
	MessageAcceptedSchema,
	SendMessageSchema,
} from "@airtower/proto/messaging/v1/messaging";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replayMessages } from "../src/accepting/accept-messages.ts";
import {
	acceptedOf,
	type MessageInit,
	messageTo,
	organizationWith,
	reasonOf,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging();
});

afterAll(() => messaging.close());

function keyed(
	organization: string,
	key: string,
	fields: MessageInit = {},
	fingerprint = randomBytes(32),
): MessageInit {
	const idempotency = create(IdempotencySchema, { key, fingerprint });
	return messageTo(organization, { ...fields, idempotency });
}

async function messageCount(organization: string): Promise<number> {
	const rows = await messaging.sql`
		select
		from messages
		where organization_id = ${organization}
	`;
	return rows.count;
}

test("a replayed key returns the same bytes but for the mark", async () => {
	const organization = await organizationWith(messaging, 5);
	const message = keyed(organization, "k");
	const first = acceptedOf((await send(messaging, [message]))[0]);
	const again = acceptedOf((await send(messaging, [message]))[0]);
	expect(again.replayed).toBe(true);
	expect(
		toBinary(MessageAcceptedSchema, { ...again, replayed: false }),
	).toEqual(toBinary(MessageAcceptedSchema, first));
	expect(messaging.ledger.balances.get(organization)).toBe(4);
});

test("messages that may only be replayed are, and others are neither stored nor debited", async () => {
	const organization = await organizationWith(messaging, 5);
	const known = keyed(organization, "known");
	const other = keyed(organization, "other");
	const first = acceptedOf((await send(messaging, [known]))[0]);
	const messages = [known, other, messageTo(organization)];
	const results = await replayMessages(
		messaging.ctx,
		messages.map((message) => create(SendMessageSchema, message)),
	);
	expect(acceptedOf(results[0])).toEqual({ ...first, replayed: true });
	expect(results.slice(1).map(reasonOf)).toEqual(["not_sent", "not_sent"]);
	expect(await messageCount(organization)).toBe(1);
	expect(messaging.ledger.balances.get(organization)).toBe(4);
	expect(acceptedOf((await send(messaging, [other]))[0]).replayed).toBe(false);
});

test("a key with another fingerprint is refused", async () => {
	const organization = await organizationWith(messaging, 5);
	await sendOne(messaging, keyed(organization, "k"));
	const [result] = await send(messaging, [keyed(organization, "k")]);
	expect(reasonOf(result)).toBe("idempotency_key_reused");
	expect(messaging.ledger.balances.get(organization)).toBe(4);
});

test("a client's key never meets one of a campaign, nor those of two campaigns each other", async () => {
	const organization = await organizationWith(messaging, 6);
	const key = "33612345678";
	const requests = ["", uuidv7(), uuidv7()].flatMap((campaignId) => [
		keyed(organization, key, { campaignId }),
		keyed(organization, `campaign:${campaignId}:${key}`),
	]);
	const accepted: string[] = [];
	for (const request of requests)
		accepted.push(await sendOne(messaging, request));
	expect(new Set(accepted).size).toBe(requests.length);
	for (const [index, request] of requests.entries())
		expect(acceptedOf((await send(messaging, [request]))[0])).toMatchObject({
			messageId: accepted[index],
			replayed: true,
		});
});

test("the same key of two organizations are two keys", async () => {
	const one = await organizationWith(messaging, 5);
	const other = await organizationWith(messaging, 5);
	const ids = [
		await sendOne(messaging, keyed(one, "k")),
		await sendOne(messaging, keyed(other, "k")),
	];
	expect(new Set(ids).size).toBe(2);
});

test("a hundred concurrent duplicates make one message and one debit", async () => {
	const organization = await organizationWith(messaging, 500);
	const message = keyed(organization, "duplicates");
	const results = (
		await Promise.all(
			Array.from({ length: 100 }, () => send(messaging, [message])),
		)
	).flat();
	const accepted = results.map(acceptedOf);
	expect(new Set(accepted.map((one) => one.messageId)).size).toBe(1);
	expect(new Set(accepted.map((one) => one.remainingQuota)).size).toBe(1);
	expect(accepted.filter((one) => one.replayed)).toHaveLength(99);
	expect(await messageCount(organization)).toBe(1);
	expect(messaging.ledger.balances.get(organization)).toBe(499);
});

test("duplicates within one batch get the same result", async () => {
	const organization = await organizationWith(messaging, 5);
	const duplicate = keyed(organization, "k");
	const results = await send(messaging, [
		duplicate,
		messageTo(organization),
		duplicate,
		keyed(organization, "k"),
	]);
	expect(results.map(reasonOf)).toEqual([
		"accepted",
		"accepted",
		"accepted",
		"idempotency_key_reused",
	]);
	expect(acceptedOf(results[2])).toMatchObject({
		messageId: acceptedOf(results[0]).messageId,
		replayed: true,
	});
	expect(messaging.ledger.balances.get(organization)).toBe(3);
});

test("a refused message leaves its key free, also for a later one of the same batch", async () => {
	const organization = await organizationWith(messaging, 5);
	const results = await send(messaging, [
		keyed(organization, "k", { to: "nobody" }),
		keyed(organization, "k"),
	]);
	expect(results.map(reasonOf)).toEqual(["invalid_phone_number", "accepted"]);
	const broke = await organizationWith(messaging, 0);
	const message = keyed(broke, "k");
	expect(reasonOf((await send(messaging, [message]))[0])).toBe(
		"quota_exhausted",
	);
	messaging.ledger.balances.set(broke, 1);
	expect(acceptedOf((await send(messaging, [message]))[0]).replayed).toBe(
		false,
	);
});

test("a batch of one key and ever other bodies ends, each with a response", async () => {
	const organization = await organizationWith(messaging, 5);
	const results = await send(
		messaging,
		Array.from({ length: 50 }, () => keyed(organization, "k", { to: "x" })),
	);
	const reasons = new Set(results.map(reasonOf));
	expect([...reasons].sort()).toEqual([
		"idempotency_key_in_use",
		"invalid_phone_number",
	]);
});

test("racing batches that share keys lose nothing and pay nothing twice", async () => {
	const organization = await organizationWith(messaging, 1_000);
	const batch = Array.from({ length: 40 }, (_, nth) =>
		keyed(organization, `race-${nth}`),
	);
	const responses = await Promise.all(
		[batch, batch.toReversed(), batch, batch.toReversed()].map((messages) =>
			send(messaging, messages),
		),
	);
	const ids = new Set(responses.flat().map((one) => acceptedOf(one).messageId));
	expect(ids.size).toBe(40);
	expect(await messageCount(organization)).toBe(40);
	expect(messaging.ledger.balances.get(organization)).toBe(960);
	expect(
		[...messaging.ledger.reserved.values()].filter((id) => id === organization),
	).toHaveLength(40);
});

test("a key whose holder does not come to an end is in use; its neighbours go through", async () => {
	const organization = await organizationWith(messaging, 10);
	const holder = messaging.database.connect(1);
	await holder`set transaction_timeout = 15000`;
	await transaction(holder, async (sql) => {
		await sql`
				insert into idempotency_keys (organization_id, key, fingerprint, response)
				values (${organization}, 'held', ${randomBytes(32)}, ${Buffer.alloc(0)})
			`;
		const results = await send(messaging, [
			keyed(organization, "free-1"),
			keyed(organization, "held"),
			keyed(organization, "free-2"),
			messageTo(organization),
		]);
		expect(results.map(reasonOf)).toEqual([
			"accepted",
			"idempotency_key_in_use",
			"accepted",
			"accepted",
		]);
	});
	expect(messaging.ledger.balances.get(organization)).toBe(7);
});

test("while somebody has locked a table a key is not called in use: the message is not stored, and is with its repetition", async () => {
	const organization = await organizationWith(messaging, 10);
	const message = keyed(organization, "locked");
	const holder = messaging.database.connect(1);
	await holder`set transaction_timeout = 15000`;
	await transaction(holder, async (sql) => {
		await sql`lock table dispatch`;
		const [result] = await send(messaging, [message]);
		expect(reasonOf(result)).toBe("service_unavailable");
	});
	expect(acceptedOf((await send(messaging, [message]))[0]).replayed).toBe(
		false,
	);
	expect(await messageCount(organization)).toBe(1);
	expect(messaging.ledger.balances.get(organization)).toBe(9);
});

test("a campaign's recipient is sent to once for as long as messages are taken for it", async () => {
	const organization = await organizationWith(messaging, 5);
	const campaignId = uuidv7();
	const message = { ...keyed(organization, "33612345678"), campaignId };
	const first = await sendOne(messaging, message);
	await letDaysPass(organization, 2 * 365);
	expect(await sendOne(messaging, message)).toBe(first);
	const old = uuidv7(Date.now() - 731 * 24 * 3_600_000);
	const [late] = await send(messaging, [{ ...message, campaignId: old }]);
	expect(reasonOf(late)).toBe("campaign_expired");
});

/** For keys, and the job that deletes those that are over. */
async function letDaysPass(organization: string, days: number): Promise<void> {
	await messaging.sql`
		update idempotency_keys
		set expires_at = expires_at - ${days} * interval '1 day'
		where organization_id = ${organization}
	`;
	await deleteExpiredIdempotencyRecords(messaging.sql, 1_000);
}

test("a key is free again after 24 hours", async () => {
	const organization = await organizationWith(messaging, 5);
	const message = keyed(organization, "old");
	const first = await sendOne(messaging, message);
	await letDaysPass(organization, 1.01);
	expect(await sendOne(messaging, message)).not.toBe(first);
});
