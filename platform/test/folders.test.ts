import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));
const IMPORTED = /(?:from|import\()\s*"(\.{1,2}\/[^"]+)"/g;

/** The folders that the files of each folder import, types included, tests and their support left out. */
async function importedFolders(): Promise<Map<string, Set<string>>> {
	const folders = new Map<string, Set<string>>();
	for (const file of await readdir(SOURCE, { recursive: true })) {
		const isSource = file.endsWith(".ts") && !file.endsWith(".test.ts");
		if (!isSource || file.split(sep).includes("testing")) continue;
		const text = await readFile(join(SOURCE, file), "utf8");
		const imported = folders.getOrInsertComputed(
			toFolder(file),
			() => new Set(),
		);
		for (const [, path = ""] of text.matchAll(IMPORTED))
			imported.add(toFolder(join(dirname(file), path)));
	}
	for (const [folder, imported] of folders) imported.delete(folder);
	return folders;
}

function toFolder(file: string): string {
	return relative(SOURCE, join(SOURCE, file)).split(sep)[0] ?? "";
}

/** What is left once folders that import none of those left are taken away, again and again. */
function circularFolders(folders: Map<string, Set<string>>): string[] {
	const left = new Map(folders);
	const isFree = (imported: Set<string>) =>
		![...imported].some((folder) => left.has(folder));
	for (let before = -1; before !== left.size; ) {
		before = left.size;
		for (const [folder, imported] of [...left])
			if (isFree(imported)) left.delete(folder);
	}
	return [...left.keys()];
}

test("no folder of platform imports one that imports it, directly or by way of others", async () => {
	const folders = await importedFolders();
	expect(folders.get("rpc")).toContain("identity");
	expect(circularFolders(folders)).toEqual([]);
});
