import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = fileURLToPath(new URL("../../.cache/", import.meta.url));

/** Whether this machine has a Python (3.10 or newer) that can make environments of its own. */
export async function hasPython(): Promise<boolean> {
	const script =
		"import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))";
	return run("python3", ["-c", script]).then(
		() => true,
		() => false,
	);
}

/** The folder with the commands of a package in an environment of its own; the first call fetches it from PyPI. */
export async function installPython(
	name: string,
	requirements: URL,
): Promise<string> {
	const wanted = await readFile(requirements, "utf8");
	const [, version] = new RegExp(`^${name}==(.+)$`, "m").exec(wanted) ?? [];
	const folder = join(cache, `${name}-${version}`);
	const bin = join(folder, "bin");
	const complete = join(folder, "installed.txt");
	if (!existsSync(complete) || (await readFile(complete, "utf8")) !== wanted) {
		await rm(folder, { recursive: true, force: true });
		await run("python3", ["-m", "venv", folder]);
		const list = fileURLToPath(requirements);
		await run(join(bin, "pip"), ["install", "--quiet", "-r", list]);
		await writeFile(complete, wanted);
	}
	return bin;
}

/** A folder for what a run leaves behind. */
export async function makeRunFolder(name: string): Promise<string> {
	await mkdir(cache, { recursive: true });
	return mkdtemp(join(cache, `${name}-run-`));
}
