import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../processes/start-error.ts";
import { ensureKeys } from "../secrets/identity-keys.ts";
import { generateSecrets } from "../secrets/secrets.ts";
import { secretFiles } from "./secret-files.ts";

const PRIVATE_FOLDER = 0o700;
/** Containers read them as users of their own; the folder keeps everybody else on the machine out. */
const READABLE = 0o644;

/**
 * Makes the folder of secrets that `deploy/compose.yaml` reads, as a whole.
 * @throws StartError when it is there: a database knows what is in it
 */
export async function writeSecrets(folder: string): Promise<void> {
	if (existsSync(folder))
		throw new StartError(
			`${folder} is there already, and a database may know what is in it; nothing was made.`,
		);
	const draft = `${folder}.new`;
	await rm(draft, { recursive: true, force: true });
	await mkdir(draft, { recursive: true, mode: PRIVATE_FOLDER });
	const files = secretFiles(generateSecrets(), {
		own: generateSecrets().rolePasswords,
		owner: generateSecrets().rolePasswords,
	});
	for (const [name, text] of Object.entries(files))
		await writeFile(join(draft, name), text, { mode: READABLE });
	const keys = await ensureKeys(draft);
	for (const name of await readdir(keys))
		await chmod(join(keys, name), READABLE);
	await rename(draft, folder);
}
