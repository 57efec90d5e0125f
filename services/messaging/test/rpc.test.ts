import { randomBytes } from "node:crypto";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { IdempotencySchema } from "@airtower/proto/common/v1/idempotency";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientsOf, refusalOf } from "./support/clients.ts";
import {
	acceptedOf,
	messageTo,
	organizationWith,
	reasonOf,
} from "./support/messaging.ts";
import {
	callSend,
	startTestService,
	type TestService,
} from "./support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});

afterAll(() => service.close());

test("SendMessages refuses callers of another organization and strangers as a whole", async () => {
	const organization = await organizationWith(service, 5);
	const { port } = service.running;
	const other = clientsOf(port, { organization: uuidv7() });
	const stranger = clientsOf(port, { isStranger: true });
	const messages = [messageTo(organization)];
	expect(await refusalOf(other.messaging.sendMessages({ messages }))).toBe(
		"organization_mismatch",
	);
	expect(await refusalOf(stranger.messaging.sendMessages({ messages }))).toBe(
		"Unauthenticated",
	);
	expect(service.ledger.balances.get(organization)).toBe(5);
});

test("a caller of the organization itself may send", async () => {
	const organization = await organizationWith(service, 5);
	const own = clientsOf(service.running.port, {
		organization,
		issuer: "gateway",
	});
	const { results } = await own.messaging.sendMessages({
		messages: [messageTo(organization.toUpperCase())],
	});
	expect(results.map(reasonOf)).toEqual(["accepted"]);
});

test("an empty list, a list of 501 and a malformed key are refused as a whole", async () => {
	const organization = await organizationWith(service, 600);
	const keyed = (key: string, bytes: number) =>
		messageTo(organization, {
			idempotency: create(IdempotencySchema, {
				key,
				fingerprint: randomBytes(bytes),
			}),
		});
	const calls = [
		[],
		Array.from({ length: 501 }, () => messageTo(organization)),
		[keyed("a b", 32)],
		[keyed("k", 31)],
	].map((messages) => refusalOf(service.messaging.sendMessages({ messages })));
	expect(new Set(await Promise.all(calls))).toEqual(
		new Set(["validation_failed"]),
	);
	expect(service.ledger.balances.get(organization)).toBe(600);
});

test("a call that its caller gave up while it was paid for stores nothing, and gives the quota back", async () => {
	const organization = await organizationWith(service, 5);
	const { ledger, sql } = service;
	const paid = Promise.withResolvers<void>();
	const responded = Promise.withResolvers<void>();
	ledger.beforeResponse = () => {
		paid.resolve();
		return responded.promise;
	};
	const messages = [messageTo(organization), messageTo(organization)];
	const caller = new AbortController();
	const call = service.messaging.sendMessages(
		{ messages },
		{ signal: caller.signal },
	);
	await paid.promise;
	caller.abort();
	await expect(call).rejects.toMatchObject({ code: Code.Canceled });
	// On the same connection, behind the word that nobody waits any more.
	await service.messaging.listSenderIds({ organizationId: organization });
	ledger.beforeResponse = async () => {};
	responded.resolve();
	await eventually(() => expect(ledger.balances.get(organization)).toBe(5));
	expect([...ledger.reserved.values()]).not.toContain(organization);
	expect(
		await sql`select from messages where organization_id = ${organization}`,
	).toHaveLength(0);
});

test("500 messages in one call each get a response", async () => {
	const organization = await organizationWith(service, 600);
	const { results } = await service.messaging.sendMessages({
		messages: Array.from({ length: 500 }, () => messageTo(organization)),
	});
	const remaining = results.map((one) => acceptedOf(one).remainingQuota);
	expect(remaining).toEqual(
		Array.from({ length: 500 }, (_, nth) => BigInt(599 - nth)),
	);
});

test("whatever a message holds, each gets a response and none an internal error", async () => {
	const organization = await organizationWith(service, 1_000_000);
	const anyText = fc.oneof(
		fc.string({ unit: "binary", maxLength: 40 }),
		fc.string({ unit: "grapheme", maxLength: 2_000 }),
		fc.constantFrom(
			"",
			"\0",
			"\ud800",
			"'; drop table messages; --",
			"{}",
			"\\",
		),
	);
	const message = fc.record({
		organizationId: fc.oneof(
			{ weight: 8, arbitrary: fc.constant(organization) },
			fc.constantFrom(uuidv7(), organization.toUpperCase()),
			anyText,
		),
		to: fc.oneof(
			{ weight: 4, arbitrary: fc.constant("+33612345678") },
			fc.stringMatching(/^\+?[0-9]{0,18}$/),
			anyText,
		),
		body: anyText,
		senderId: fc.oneof(
			{ weight: 4, arbitrary: fc.constant("") },
			fc.uuid(),
			anyText,
		),
		senderName: fc.oneof(
			{ weight: 4, arbitrary: fc.constantFrom("", "Airtower") },
			anyText,
		),
		clientReference: anyText,
		campaignId: fc.oneof(
			{ weight: 4, arbitrary: fc.constant("") },
			fc.uuid(),
			anyText,
		),
		defaultCountry: fc.constantFrom("", "FR", "US", "fr", "ZZ", "\0"),
		idempotency: fc
			.record({
				key: fc.stringMatching(/^[A-Za-z0-9._:-]{1,2}$/),
				fill: fc.nat(3),
			})
			.map(({ key, fill }) =>
				create(IdempotencySchema, {
					key,
					fingerprint: new Uint8Array(32).fill(fill),
				}),
			),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(message, { minLength: 1, maxLength: 20 }),
			async (messages) => {
				const { results } = await service.messaging.sendMessages({ messages });
				const reasons = results.map(reasonOf);
				expect(reasons).toHaveLength(messages.length);
				expect(reasons).not.toContain("internal_error");
				expect(reasons).not.toContain("service_unavailable");
				expect(reasons).not.toContain(undefined);
			},
		),
		{ numRuns: 100 },
	);
	const [row] = await service.sql<{ count: number }[]>`
		select count(*) as count
		from messages
		where organization_id = ${organization}
	`;
	expect(service.ledger.balances.get(organization)).toBe(
		1_000_000 - (row?.count ?? 0),
	);
});

test("ListMissingMessages tells what is not stored, to callers of all organizations", async () => {
	const organization = await organizationWith(service, 5);
	const stored = await callSend(service, organization);
	const missing = uuidv7();
	const request = { messageIds: [stored, missing] };
	const response = await service.messaging.listMissingMessages(request);
	expect(response.missingMessageIds).toEqual([missing]);
	const { port } = service.running;
	const own = clientsOf(port, { organization });
	const stranger = clientsOf(port, { isStranger: true });
	expect(await refusalOf(own.messaging.listMissingMessages(request))).toBe(
		"organization_mismatch",
	);
	expect(await refusalOf(stranger.messaging.listMissingMessages(request))).toBe(
		"Unauthenticated",
	);
	const malformed = { messageIds: ["x"] };
	expect(
		await refusalOf(service.messaging.listMissingMessages(malformed)),
	).toBe("validation_failed");
});

test("ListMissingMessages calls nothing missing while a transaction that stores messages outlasts its time", async () => {
	const organization = await organizationWith(service, 5);
	const like = await callSend(service, organization);
	const late = uuidv7();
	const untimed = service.database.connect(1);
	await untimed`set transaction_timeout = 0`;
	await untimed`set idle_in_transaction_session_timeout = 0`;
	const isWritten = Promise.withResolvers<void>();
	const mayCommit = Promise.withResolvers<void>();
	const commit = untimed.begin(async (sql) => {
		await sql`
			insert into messages (
				id, organization_id, recipient, body, sender_id, sender_value,
				segments, concat_reference, route
			)
			select
				${late}, organization_id, recipient, body, sender_id, sender_value,
				segments, concat_reference, route
			from messages
			where id = ${like}
		`;
		isWritten.resolve();
		await mayCommit.promise;
	});
	await isWritten.promise;
	const ask = () =>
		service.messaging.listMissingMessages({ messageIds: [late] });
	await eventually(async () =>
		expect(await refusalOf(ask())).toBe("commit_overdue"),
	);
	mayCommit.resolve();
	await commit;
	expect((await ask()).missingMessageIds).toEqual([]);
});
