import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { StartError } from "../processes/start-error.ts";
import type { ServiceName } from "../start/system.ts";
import { generateSecrets } from "./generate-secrets.ts";

export type DatabaseRole = ServiceName | "bus";

/** Everything secret of one data folder, made once. Rings are in the form of the services' settings. */
export interface Secrets {
	readonly callerTokenKeys: string;
	readonly apiKeyPeppers: string;
	/** Of the webhooks service; no two services can open each other's boxes. */
	readonly encryptionKeys: string;
	readonly accountsEncryptionKeys: string;
	readonly whatsappEncryptionKeys: string;
	readonly whatsapp: Readonly<
		Record<"appSecret" | "verifyToken" | "accessToken", string>
	>;
	readonly cursorKeys: string;
	readonly postgresPassword: string;
	readonly rolePasswords: Readonly<Record<DatabaseRole, string>>;
	readonly demo: {
		/** Identifier of the demo organization's first grant: given twice, it counts once. */
		readonly grantId: string;
		/** Absent until the key is issued. */
		readonly apiKey?: string;
	};
}

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
