import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadSecrets } from "../secrets/secrets-file.ts";
import { holdDataDir } from "./run-state.ts";
import { findData, wipeData } from "./wipe-data.ts";

let dir: string;

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-wipe-"));
	await loadSecrets(dir);
	await mkdir(join(dir, "postgres"));
	await writeFile(join(dir, "postgres", "PG_VERSION"), "18");
});

afterEach(() => rm(dir, { recursive: true, force: true }));

it("removes what a start has made, and leaves what it has not", async () => {
	await writeFile(join(dir, "holiday.jpg"), "mine");
	expect(new Set(await findData(dir))).toEqual(
		new Set(["postgres", "secrets.json"]),
	);
	await wipeData(dir);
	expect(await readdir(dir)).toEqual(["holiday.jpg"]);
});

it("removes a folder that holds nothing else", async () => {
	await wipeData(dir);
	await expect(readdir(dir)).rejects.toThrow("ENOENT");
});

it("removes nothing while a system runs on the folder", async () => {
	const state = await holdDataDir(dir);
	await expect(wipeData(dir)).rejects.toThrow("already runs on");
	expect(await findData(dir)).toContain("secrets.json");
	await state.release();
});
