import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { StartError } from "../processes/start-error.ts";
import { generateSecrets, type Secrets } from "./secrets.ts";

const SECRETS_FILE = "secrets.json";

/** Reads the secrets of a data folder; makes them on its first start, and those that a newer version adds. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
	const kept = await readSecrets(join(dataDir, SECRETS_FILE));
	const made = generateSecrets();
	const rolePasswords = { ...made.rolePasswords, ...kept.rolePasswords };
	const secrets: Secrets = { ...made, ...kept, rolePasswords };
	if (!isDeepStrictEqual(secrets, kept)) await saveSecrets(dataDir, secrets);
	return secrets;
}

async function readSecrets(path: string): Promise<Partial<Secrets>> {
	try {
		return JSON.parse(await readFile(path, "utf8")) as Partial<Secrets>;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
		throw new StartError(
			`${path} cannot be read: restore it, or remove the whole data folder to begin anew.`,
		);
	}
}

/** Replaces the secrets file as a whole, readable by its owner alone. */
export async function saveSecrets(
	dataDir: string,
	secrets: Secrets,
): Promise<void> {
	const path = join(dataDir, SECRETS_FILE);
	const text = `${JSON.stringify(secrets, null, "\t")}\n`;
	await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
	await rename(`${path}.new`, path);
}
