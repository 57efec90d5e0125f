import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchProcess } from "./launch-process.ts";

let dir: string;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower my dir é 100%25 #1-"));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

it("runs a module in a folder of any name", async () => {
	const path = join(dir, "stand-in.ts");
	await writeFile(path, "console.log(import.meta.filename);");
	const lines: string[] = [];
	const run = launchProcess({
		main: pathToFileURL(path),
		env: {},
		onLine: (line) => lines.push(line),
	});
	expect(await run.ended).toBe("exit code 0");
	expect(lines).toEqual([path]);
});
