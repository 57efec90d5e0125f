import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** One folder for each release, named by its version. */
export const RELEASED = fileURLToPath(
	new URL("../../../released/", import.meta.url),
);
export const VERSION = /^\d+\.\d+\.\d+$/;

/** Whether the program starts without it. */
const settingKind = z.enum(["required", "optional"]);

const schema = z.strictObject({
	version: z.string().regex(VERSION),
	commit: z.string().regex(/^[0-9a-f]{40}$/),
	/** SHA-256 of each file, by its path from the repository's root. */
	migrations: z.record(z.string(), z.string()),
	/** By service and name. */
	settings: z.record(z.string(), z.record(z.string(), settingKind)),
	topics: z.array(z.string()),
});

/** What other processes, databases and deployments rely on since a release. */
export type Release = z.infer<typeof schema>;

/** All that were recorded, the last one at the end. Throws Error on a record that is not whole. */
export async function readReleases(): Promise<Release[]> {
	const versions = (await readdir(RELEASED)).filter((name) =>
		VERSION.test(name),
	);
	return Promise.all(
		versions.sort(compareVersions).map(async (version) => {
			const text = await readFile(recordFile(version), "utf8");
			return schema.parse(JSON.parse(text));
		}),
	);
}

export async function lastRelease(): Promise<Release> {
	const last = (await readReleases()).at(-1);
	if (last === undefined) throw new Error("No release is recorded.");
	return last;
}

export function recordFile(version: string): string {
	return `${RELEASED}${version}/release.json`;
}

/** The contracts as buf compares them. */
export function contractsFile(version: string): string {
	return `${RELEASED}${version}/contracts.binpb.gz`;
}

export function compareVersions(one: string, other: string): number {
	const [left, right] = [
		one.split(".").map(Number),
		other.split(".").map(Number),
	];
	const at = left.findIndex((number, nth) => number !== right[nth]);
	return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
