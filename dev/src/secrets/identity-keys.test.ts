import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTrustedKeys } from "@airtower/platform/identity/trusted-keys";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { serviceNames } from "../start/system.ts";
import { ensureKeys, readKey, trustedKeysFile } from "./identity-keys.ts";

let dir: string;

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-keys-"));
	onTestFinished(() => rm(dir, { recursive: true }));
});

async function trustedIn(keysDir: string) {
	return parseTrustedKeys(await readFile(trustedKeysFile(keysDir), "utf8"));
}

test("a first start makes a key for each service and the admins, readable by their owner alone", async () => {
	const keysDir = await ensureKeys(dir);
	const trusted = await trustedIn(keysDir);
	const issuers = [...trusted.values()].map(({ issuer }) => issuer);
	expect(new Set(issuers)).toEqual(new Set([...serviceNames, "admin"]));
	for (const issuer of issuers)
		expect(trusted.get(readKey(keysDir, issuer).id)?.issuer).toBe(issuer);
	for (const name of await readdir(keysDir))
		expect((await stat(join(keysDir, name))).mode & 0o777, name).toBe(0o600);
	expect((await stat(keysDir)).mode & 0o777).toBe(0o700);
});

test("a later start keeps the keys, and makes and trusts what is missing", async () => {
	const keysDir = await ensureKeys(dir);
	const before = await trustedIn(keysDir);
	await ensureKeys(dir);
	expect([...(await trustedIn(keysDir)).keys()]).toEqual([...before.keys()]);
	const old = readKey(keysDir, "gateway");
	await rm(join(keysDir, "gateway.json"));
	await ensureKeys(dir);
	const { id } = readKey(keysDir, "gateway");
	expect(id).not.toBe(old.id);
	expect([...(await trustedIn(keysDir)).keys()]).toEqual([
		...before.keys(),
		id,
	]);
	await rm(trustedKeysFile(keysDir));
	await ensureKeys(dir);
	expect((await trustedIn(keysDir)).size).toBe(7);
});
