import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { buildContracts } from "./contracts.ts";
import { readPresent } from "./present.ts";
import {
	compareVersions,
	contractsFile,
	type Release,
	readReleases,
	recordFile,
	VERSION,
} from "./releases.ts";

/*
 * `npm run record:release -- <version>`: writes down what the present commit promises to those who come after it. A
 * refusal is one sentence.
 */
const [version = ""] = process.argv.slice(2);
try {
	await recordRelease(version);
	process.stdout.write(
		`Release ${version} is recorded in released/${version}; commit it.\n`,
	);
} catch (error) {
	process.stderr.write(`${(error as Error).message}\n`);
	process.exitCode = 1;
}

async function recordRelease(version: string): Promise<void> {
	if (!VERSION.test(version))
		throw new Error("Name the version: npm run record:release -- 0.2.0");
	if (existsSync(recordFile(version)))
		throw new Error(
			`Release ${version} is recorded already; it stays as it is.`,
		);
	const newer = (await readReleases()).find(
		(release) => compareVersions(release.version, version) > 0,
	);
	if (newer !== undefined)
		throw new Error(`Release ${newer.version} is newer than ${version}.`);
	if (git("status", "--porcelain") !== "")
		throw new Error("Commit your changes first: a release is a commit.");
	const release: Release = {
		version,
		commit: git("rev-parse", "HEAD"),
		...(await readPresent()),
	};
	await mkdir(dirname(recordFile(version)), { recursive: true });
	await buildContracts(contractsFile(version));
	const text = JSON.stringify(release, undefined, "\t");
	await writeFile(recordFile(version), `${text}\n`);
}

function git(...args: string[]): string {
	return execFileSync("git", args, { encoding: "utf8" }).trim();
}
