import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createLogger } from "@airtower/platform/runtime/log";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	messageTo,
	organizationWith,
	reasonOf,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { expectExact, storedCount } from "./support/stored.ts";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging();
});

afterAll(() => messaging.close());

test("a row that the database refuses stands alone: its neighbours go through", async () => {
	const organization = await organizationWith(messaging, 100);
	await messaging.sql`
		alter table messages add constraint test_poison check (body <> 'poison') not valid
	`;
	try {
		const bodies = Array.from({ length: 50 }, (_, nth) =>
			nth === 7 || nth === 31 ? "poison" : `text ${nth}`,
		);
		const results = await send(
			messaging,
			bodies.map((body) => messageTo(organization, { body })),
		);
		expect(results.map(reasonOf)).toEqual(
			bodies.map((body) => (body === "poison" ? "internal_error" : "accepted")),
		);
		expect(await storedCount(messaging, organization)).toBe(48);
		await expectExact(messaging, organization, 100);
	} finally {
		await messaging.sql`alter table messages drop constraint test_poison`;
	}
});

test("a log line about a refused row holds neither its text nor its number", async () => {
	const organization = await organizationWith(messaging, 5);
	const lines: string[] = [];
	const log = createLogger({
		service: "test",
		level: "trace",
		destination: { write: (line) => lines.push(line) },
	});
	const talkative = await messaging.replica({ log });
	await messaging.sql`
		alter table messages add constraint test_poison check (body <> 'poison') not valid
	`;
	try {
		await send(talkative, [messageTo(organization, { body: "poison" })]);
	} finally {
		await messaging.sql`alter table messages drop constraint test_poison`;
	}
	expect(lines.join()).toContain("test_poison");
	expect(lines.join()).not.toMatch(/"poison|33612345678/);
});

test("when the database goes away in mid-commit the message is refused and its reservation left to be settled", async () => {
	const organization = await organizationWith(messaging, 5);
	await messaging.sql.unsafe(`
		create function test_die() returns trigger language plpgsql as $$
		begin
			perform pg_terminate_backend(pg_backend_pid());
			return new;
		end $$;
		create trigger test_die before insert on dispatch
		for each row execute function test_die();
	`);
	try {
		const [result] = await send(messaging, [messageTo(organization)]);
		expect(reasonOf(result)).toBe("service_unavailable");
	} finally {
		await messaging.sql`drop function test_die cascade`;
	}
	expect(await storedCount(messaging, organization)).toBe(0);
	expect(messaging.ledger.balances.get(organization)).toBe(4);
	await sendOne(messaging, messageTo(organization));
});

test("messages that came too late for their reservations are not stored", async () => {
	const organization = await organizationWith(messaging, 5);
	const idempotency = { key: "late", fingerprint: randomBytes(32) };
	// The database's own clock decides, which nobody can move: this test has to wait.
	messaging.ledger.beforeResponse = () => delay(10_100);
	try {
		const results = await Promise.all([
			send(messaging, [messageTo(organization)]),
			send(messaging, [messageTo(organization, { idempotency })]),
		]);
		expect(results.flat().map(reasonOf)).toEqual([
			"service_unavailable",
			"service_unavailable",
		]);
	} finally {
		messaging.ledger.beforeResponse = async () => {};
	}
	expect(await storedCount(messaging, organization)).toBe(0);
	await expectExact(messaging, organization, 5);
	await sendOne(messaging, messageTo(organization, { idempotency }));
});
