import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CommandError } from "./errors.ts";
import { shownPath, userPath } from "./user-path.ts";

/**
 * Reads a secret from a file, or from the input for `-`: other users of a machine see the arguments of a process.
 * @param what for example "token"
 * @throws CommandError when it cannot be read
 */
export async function readSecret(what: string, path: string): Promise<string> {
	const content =
		path === "-" ? text(process.stdin) : readFile(userPath(path), "utf8");
	return content.then(
		(secret) => secret.trim(),
		() => {
			throw new CommandError(`The ${what} file ${path} cannot be read.`);
		},
	);
}

/** Writes a new file that its owner alone may read; returns its path. @throws CommandError, for one that exists too */
export async function writeSecret(path: string, text: string): Promise<string> {
	const file = userPath(path);
	try {
		await writeFile(file, text, { mode: 0o600, flag: "wx" });
	} catch (error) {
		const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
		throw new CommandError(
			`--out: ${shownPath(file)} ${exists ? "exists already" : "cannot be written"}.`,
		);
	}
	return file;
}
