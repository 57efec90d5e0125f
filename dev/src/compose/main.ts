import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../processes/start-error.ts";
import { writeSecrets } from "./write-secrets.ts";

const folder = relative(
	process.cwd(),
	fileURLToPath(new URL("../../../deploy/secrets", import.meta.url)),
);

try {
	await writeSecrets(folder);
	console.log(`Made ${folder}. Keep a copy of it.`);
} catch (error) {
	if (!(error instanceof StartError)) throw error;
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
}
