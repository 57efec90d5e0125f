import { createHash } from "node:crypto";
import { IdempotencySchema } from "@airtower/proto/common/v1/idempotency";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runIdempotently } from "../src/database/idempotency.ts";
import {
	deleteExpiredIdempotencyRecords,
	type IdempotencyKey,
} from "../src/database/idempotency-records.ts";
import { platformMigrations } from "../src/database/migration/migration-set.ts";
import { toIdempotencyKey } from "../src/database/respond-once.ts";
import { uuidv7 } from "../src/runtime/ids.ts";
import { type TestDatabase, testDatabase } from "../src/testing/database.ts";

let database: TestDatabase;
const organizationId = uuidv7();

beforeAll(async () => {
	database = await testDatabase([platformMigrations.idempotency]);
	await database.sql`create table effects (id serial primary key)`;
});

afterAll(() => database.drop());

function keyFor(key: string, body = "body") {
	const fingerprint = createHash("sha256").update(body).digest();
	return { organizationId, key, fingerprint };
}

function runEffect(key: IdempotencyKey | undefined) {
	return runIdempotently(database.sql, key, async (sql) => {
		const [row] = await sql<{ id: number }[]>`
			insert into effects default values
			returning id
		`;
		return Buffer.from(`effect ${row?.id}`);
	});
}

test("100 concurrent duplicates have one effect and one response", async () => {
	const results = await Promise.all(
		Array.from({ length: 100 }, () => runEffect(keyFor("duplicate"))),
	);
	const responses = new Set(
		results.map((result) => Buffer.from(result.response).toString()),
	);
	expect(responses.size).toBe(1);
	expect(results.filter((result) => !result.replayed)).toHaveLength(1);
});

test("the same key with another request is refused", async () => {
	await runEffect(keyFor("reused", "one"));
	await expect(runEffect(keyFor("reused", "two"))).rejects.toMatchObject({
		kind: "conflict",
		reason: "idempotency_key_reused",
	});
});

test("a key on another path is another request's; what was stored before keys had paths is replayed all the same", async () => {
	const claim = (scope: string, body: string) =>
		toIdempotencyKey(
			organizationId,
			create(IdempotencySchema, {
				key: "paths",
				scope,
				fingerprint: createHash("sha256")
					.update(scope + body)
					.digest(),
			}),
		);
	const old = claim("", "/contacts body");
	const first = await runEffect(old);
	expect(await runEffect(claim("/contacts", " body"))).toEqual({
		response: first.response,
		replayed: true,
	});
	expect(await runEffect(claim("/contacts", " body"))).toMatchObject({
		replayed: true,
	});
	expect(await runEffect(claim("/campaigns", " body"))).toMatchObject({
		replayed: false,
	});
	await expect(runEffect(claim("/campaigns", "other"))).rejects.toMatchObject({
		reason: "idempotency_key_reused",
	});
});

test("an organization's id in capitals is the same one", async () => {
	const key = keyFor("capitals");
	const first = await runEffect(key);
	const again = await runEffect({
		...key,
		organizationId: organizationId.toUpperCase(),
	});
	expect(again).toMatchObject({ replayed: true });
	expect(Buffer.from(again.response)).toEqual(Buffer.from(first.response));
});

test("an error is not stored: the key is free for the next try", async () => {
	const key = keyFor("failing");
	const failing = runIdempotently(database.sql, key, async () => {
		throw new Error("refused");
	});
	await expect(failing).rejects.toThrow("refused");
	expect((await runEffect(key)).replayed).toBe(false);
});

test("who waits over five seconds for a concurrent duplicate is told that the key is in use", async () => {
	const key = keyFor("slow");
	const started = Promise.withResolvers<void>();
	const release = Promise.withResolvers<void>();
	const slow = runIdempotently(database.sql, key, async () => {
		started.resolve();
		await release.promise;
		return Buffer.from("done");
	});
	await started.promise;
	await expect(runEffect(key)).rejects.toMatchObject({
		reason: "idempotency_key_in_use",
	});
	release.resolve();
	await slow;
});

test("records are forgotten after their retention only", async () => {
	await runEffect(keyFor("old"));
	await database.sql`
		update idempotency_keys
		set expires_at = expires_at - interval '25 hours'
		where key = 'old'
	`;
	expect(await deleteExpiredIdempotencyRecords(database.sql, 100)).toBe(1);
});
