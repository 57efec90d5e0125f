import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
	ADMIN,
	type PrivateJwk,
	type TrustedJwk,
} from "@airtower/platform/identity/jwk";
import { createKeyPair } from "@airtower/platform/identity/key-pair";
import {
	parseSigningKey,
	type SigningKey,
} from "@airtower/platform/identity/signing-key";
import { StartError } from "../processes/start-error.ts";
import { serviceNames } from "../start/system.ts";

const ISSUERS = [...serviceNames, ADMIN];

export const keyFile = (keysDir: string, issuer: string): string =>
	join(keysDir, `${issuer}.json`);

export const trustedKeysFile = (keysDir: string): string =>
	join(keysDir, "trusted-keys.json");

export function readKey(keysDir: string, issuer: string): SigningKey {
	return parseSigningKey(readFileSync(keyFile(keysDir, issuer), "utf8"));
}

/**
 * Makes the key pairs of a data folder that are missing, and adds those of its services and admins to the trusted ones.
 * @returns the folder of the keys
 * @throws StartError for a file that cannot be read
 */
export async function ensureKeys(dataDir: string): Promise<string> {
	const keysDir = join(dataDir, "keys");
	await mkdir(keysDir, { recursive: true, mode: 0o700 });
	const own = await Promise.all(
		ISSUERS.map((issuer) => ensureKey(keysDir, issuer)),
	);
	const path = trustedKeysFile(keysDir);
	const { keys } = (await readJson<{ keys: TrustedJwk[] }>(path)) ?? {
		keys: [],
	};
	const kept = new Set(keys.map(({ kid }) => kid));
	const missing = own.filter(({ kid }) => !kept.has(kid));
	if (missing.length > 0) {
		const added = missing.map(({ d: _, ...key }) => key);
		await writeJson(path, { keys: [...keys, ...added] });
	}
	return keysDir;
}

async function ensureKey(keysDir: string, issuer: string): Promise<PrivateJwk> {
	const path = keyFile(keysDir, issuer);
	const kept = await readJson<PrivateJwk>(path);
	if (kept !== undefined) return kept;
	const { privateKey } = createKeyPair(issuer);
	await writeJson(path, privateKey);
	return privateKey;
}

async function readJson<T>(path: string): Promise<T | undefined> {
	try {
		return JSON.parse(await readFile(path, "utf8")) as T;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw new StartError(`${path} cannot be read: restore it, or remove it.`);
	}
}

/** As a whole, readable by its owner alone. */
async function writeJson(path: string, value: unknown): Promise<void> {
	const text = `${JSON.stringify(value, null, "\t")}\n`;
	await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
	await rename(`${path}.new`, path);
}
