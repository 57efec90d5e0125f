import { writeFile } from "node:fs/promises";
import { CommandError } from "./errors.ts";
import { shownPath, userPath } from "./user-path.ts";

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
