import { SecretsService } from "@airtower/proto/ops/v1/secrets";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { parseKeyRing } from "../sealing/key-ring.ts";
import { openSecret, sealSecret } from "../sealing/sealed-secret.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { keyRingText } from "../testing/keys.ts";
import { serveRoutes, type TestRpcServer } from "../testing/rpc-server.ts";
import { secretsRoute } from "./secrets-service.ts";

const OLD = keyRingText("old");
const NEW = keyRingText("new");
const oldRing = parseKeyRing(OLD);
const newRing = parseKeyRing(NEW);
const ring = parseKeyRing(`${NEW},${OLD}`);
/** More than one batch. */
const SECRETS = 1_100;

let db: TestDatabase;
let server: TestRpcServer;

beforeAll(async () => {
	db = await testDatabase([platformMigrations.audit]);
	await db.sql`create table doors (id int primary key, code bytea not null)`;
	server = await serveRoutes("test", [
		secretsRoute(db.sql, ring, [
			{
				table: "doors",
				column: "code",
				owner: "id",
				contexts: (id) => [`other ${id}`, `door ${id}`],
			},
		]),
	]);
});

afterAll(async () => {
	await server.close();
	await db.drop();
});

beforeEach(() => db.sql`truncate doors`);

async function seal(count: number, with_ = oldRing): Promise<void> {
	for (let id = 1; id <= count; id++)
		await db.sql`
			insert into doors
			values (${id}, ${sealSecret(with_, `code ${id}`, `door ${id}`)})
		`;
}

test("a batch has its entry in the audit in its own transaction: without one nothing is sealed", async () => {
	await seal(3);
	await db.sql`alter table audit_entries rename to away`;
	await expect(client().resealSecrets({})).rejects.toThrow();
	await db.sql`alter table away rename to audit_entries`;
	const { left } = await client().resealSecrets({ dryRun: true });
	expect(left).toBe(3n);
	await client().resealSecrets({});
	await client().resealSecrets({});
	const entries = await db.sql`
		select action, after from audit_entries order by id desc limit 1
	`;
	expect(entries).toEqual([
		{ action: "reseal_secrets", after: { resealed: 3 } },
	]);
});

const client = () => server.client(SecretsService);

test("all secrets come under the newest key in batches, and then open without the older one", async () => {
	await seal(SECRETS);
	const counted = await client().resealSecrets({ dryRun: true });
	expect(counted).toMatchObject({
		resealed: 0,
		left: BigInt(SECRETS),
		unreadable: 0n,
		newestKeyId: "new",
		olderKeyIds: ["old"],
	});
	let resealed = 0;
	for (;;) {
		const batch = await client().resealSecrets({});
		resealed += batch.resealed;
		expect(batch.left).toBe(BigInt(SECRETS - resealed));
		if (batch.resealed === 0) break;
		expect(batch.resealed).toBeLessThanOrEqual(500);
	}
	expect(resealed).toBe(SECRETS);
	const rows = await db.sql<
		{ id: number; code: Buffer }[]
	>`select * from doors`;
	for (const { id, code } of rows)
		expect(openSecret(newRing, code, `door ${id}`).toString()).toBe(
			`code ${id}`,
		);
});

test("a secret that changes meanwhile is left to who changes it", async () => {
	await seal(2);
	const changed = sealSecret(ring, "changed", "door 1");
	await db.sql.begin(async (sql) => {
		await sql`update doors set code = ${changed} where id = 1`;
		expect(await client().resealSecrets({})).toMatchObject({ resealed: 1 });
	});
	const [row] = await db.sql`select code from doors where id = 1`;
	expect(row?.code).toEqual(changed);
	expect(await client().resealSecrets({})).toMatchObject({ left: 0n });
});

test("what does not open is counted and left as it is", async () => {
	await seal(1, parseKeyRing(keyRingText("gone")));
	const foreign = sealSecret(oldRing, "x", "window 2");
	await db.sql`insert into doors values (2, ${foreign})`;
	expect(await client().resealSecrets({})).toMatchObject({
		resealed: 0,
		left: 1n,
		unreadable: 1n,
	});
	const [row] = await db.sql`select code from doors where id = 2`;
	expect(row?.code).toEqual(foreign);
});

test("a secret that was forgotten is neither left nor unreadable", async () => {
	await db.sql`insert into doors values (1, '')`;
	expect(await client().resealSecrets({ dryRun: true })).toMatchObject({
		left: 0n,
		unreadable: 0n,
	});
});

test.each([
	["a service", { issuer: "gateway" }, Code.PermissionDenied],
	[
		"an admin of one organization",
		{ organization: "o" },
		Code.PermissionDenied,
	],
] as const)("%s is refused", async (_who, caller, code) => {
	const refused = server.client(SecretsService, caller).resealSecrets({});
	await expect(refused).rejects.toMatchObject({ code });
});
