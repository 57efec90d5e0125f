import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { glob, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../start/start-process.ts";
import { lastRelease, type Release } from "./releases.ts";

const CACHE = join(REPOSITORY, ".cache", "releases");
const WORKSPACES = "{proto,platform,cli,simulators,dev,services/*}";

interface Lock {
	packages: Record<string, { link?: boolean }>;
}

const run = promisify(execFile);

/** Why processes of the last release cannot be run here, in one sentence; undefined where they can. */
export async function missingRelease(): Promise<string | undefined> {
	const { version, commit } = await lastRelease();
	try {
		await git("cat-file", "-e", `${commit}^{commit}`);
		return undefined;
	} catch {
		return `the commit of release ${version} (${commit}) is not in this clone; git fetch --unshallow brings it.`;
	}
}

/**
 * The folder of the last release, as it was recorded, ready to run. It is made once: its packages are this repository's
 * where both lock the same, and are installed otherwise.
 */
export async function prepareRelease(): Promise<string> {
	const release = await lastRelease();
	const folder = join(CACHE, release.commit);
	if (existsSync(folder)) return folder;
	const draft = `${folder}.new`;
	await rm(draft, { recursive: true, force: true });
	await mkdir(draft, { recursive: true });
	await unpack(release, draft);
	if (await hasSamePackages(draft)) await linkPackages(draft);
	else await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: draft });
	await rename(draft, folder);
	return folder;
}

async function unpack({ commit }: Release, folder: string): Promise<void> {
	const archive = `${folder}.tar`;
	await git("archive", "--format=tar", `--output=${archive}`, commit);
	await run("tar", ["-x", "-f", archive, "-C", folder]);
	await rm(archive);
}

function git(...args: string[]) {
	return run("git", args, { cwd: REPOSITORY });
}

/** The versions of the workspaces themselves are not compared. */
async function hasSamePackages(folder: string): Promise<boolean> {
	const read = async (root: string) => {
		const text = await readFile(join(root, "package-lock.json"), "utf8");
		const installed = Object.entries(
			(JSON.parse(text) as Lock).packages,
		).filter(
			([path, { link }]) => path.includes("node_modules/") && link !== true,
		);
		const patches = await Array.fromAsync(glob("patches/*", { cwd: root }));
		const texts = patches
			.sort()
			.map((path) => readFile(join(root, path), "utf8"));
		return JSON.stringify([installed, patches, await Promise.all(texts)]);
	};
	return (await read(folder)) === (await read(REPOSITORY));
}

/** The workspaces are the release's own; all other packages are found in the folders above it. */
async function linkPackages(folder: string): Promise<void> {
	const link = async (target: string, path: string) => {
		await mkdir(dirname(path), { recursive: true });
		await symlink(relative(dirname(path), target), path, "dir");
	};
	for await (const path of glob(`${WORKSPACES}/package.json`, {
		cwd: folder,
	})) {
		const text = await readFile(join(folder, path), "utf8");
		const { name } = JSON.parse(text) as { name: string };
		const workspace = dirname(path);
		await link(join(folder, workspace), join(folder, "node_modules", name));
		const own = join(workspace, "node_modules");
		if (existsSync(join(REPOSITORY, own)))
			await link(join(REPOSITORY, own), join(folder, own));
	}
}
