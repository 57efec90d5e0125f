import { randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adminUrl } from "@airtower/platform/testing/database";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Secrets } from "../secrets/secrets.ts";
import { loadSecrets } from "../secrets/secrets-file.ts";
import { StartError } from "../start/system.ts";
import { type Databases, ensureDatabase, ensureRoles } from "./databases.ts";

let dir: string;
let secrets: Secrets;
let databases: Databases;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-secrets-"));
	secrets = await loadSecrets(dir);
	databases = await ensureRoles(await ensureDatabase(adminUrl()), secrets);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

async function as<T>(
	role: "accounts" | "messaging",
	work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
	const sql = postgres(databases.urlOf(role), { max: 1, onnotice: () => {} });
	try {
		return await work(sql);
	} finally {
		await sql.end();
	}
}

it("keeps the secrets over starts, readable by their owner alone", async () => {
	expect(await loadSecrets(dir)).toEqual(secrets);
	expect((await stat(join(dir, "secrets.json"))).mode & 0o777).toBe(0o600);
});

it("lets a role make and read tables in its own schema", async () => {
	await as("accounts", async (sql) => {
		await sql`create table accounts.mine (n int)`;
		expect(await sql`select n from accounts.mine`).toEqual([]);
	});
});

it("lets no role read, write or make anything in another's schema", async () => {
	await as("messaging", async (sql) => {
		const refused = { code: "42501" };
		await expect(sql`select n from accounts.mine`).rejects.toMatchObject(
			refused,
		);
		await expect(sql`create table accounts.x (n int)`).rejects.toMatchObject(
			refused,
		);
		await expect(sql`create table public.x (n int)`).rejects.toMatchObject(
			refused,
		);
	});
});

it("leaves another application's rights in the same database as they are", async () => {
	const owner = postgres(databases.adminUrl, { max: 1, onnotice: () => {} });
	const url = new URL(databases.adminUrl);
	[url.username, url.password] = ["neighbour", "theirs"];
	const neighbour = postgres(url.href, { max: 1, onnotice: () => {} });
	try {
		await owner`create role neighbour login password 'theirs'`;
		await owner`create table public.orders (n int)`;
		await owner`grant select on public.orders to neighbour`;
		await ensureRoles(databases.adminUrl, secrets);
		expect(await neighbour`select n from public.orders`).toEqual([]);
	} finally {
		await neighbour.end();
		await owner.end();
	}
});

it("can be repeated, and sets the passwords of the data folder in use", async () => {
	const rolePasswords = { ...secrets.rolePasswords, accounts: "another" };
	databases = await ensureRoles(databases.adminUrl, {
		...secrets,
		rolePasswords,
	});
	await as("accounts", (sql) => sql`select 1`);
});

it("refuses the secrets of another data folder, and changes no password", async () => {
	const other = await mkdtemp(join(dir, "other-"));
	const attempt = ensureRoles(databases.adminUrl, await loadSecrets(other));
	await expect(attempt).rejects.toThrow(StartError);
	await expect(attempt).rejects.toThrow(
		/^This database belongs to another data folder; .*secrets\.json/,
	);
	await as("messaging", (sql) => sql`select 1`);
});

it("takes a ring with a new key while the one in use is still there", async () => {
	const [old] = secrets.encryptionKeys.split(",");
	const fresh = `k2:${randomBytes(32).toString("base64")}`;
	const renewed = { ...secrets, encryptionKeys: `${fresh},${old}` };
	await ensureRoles(databases.adminUrl, renewed);
	await ensureRoles(databases.adminUrl, { ...secrets, encryptionKeys: fresh });
	await expect(ensureRoles(databases.adminUrl, secrets)).rejects.toThrow(
		"belongs to another data folder",
	);
	secrets = renewed;
	databases = await ensureRoles(databases.adminUrl, secrets);
});

it("takes a database without a mark, and marks it", async () => {
	const owner = postgres(databases.adminUrl, { max: 1, onnotice: () => {} });
	await owner`comment on schema accounts is null`;
	await owner.end();
	await ensureRoles(databases.adminUrl, secrets);
	const other = await mkdtemp(join(dir, "other-"));
	await expect(
		ensureRoles(databases.adminUrl, await loadSecrets(other)),
	).rejects.toThrow("belongs to another data folder");
});

it("says that a server of our own was made with other secrets", async () => {
	const url = new URL(adminUrl());
	url.password = "another";
	await expect(ensureDatabase(url.href)).rejects.toThrow(
		"belongs to another data folder",
	);
});

it("says in one sentence that no server responds", async () => {
	const attempt = ensureRoles("postgres://me@127.0.0.1:1/x", secrets);
	await expect(attempt).rejects.toThrow(
		"No PostgreSQL responds at 127.0.0.1:1; check DATABASE_URL.",
	);
});
