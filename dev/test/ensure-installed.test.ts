import { execFile } from "node:child_process";
import {
	appendFile,
	chmod,
	copyFile,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PATCH = "patches/a+1.0.0.patch";

/** A patch-package that fails while the repository has a file of this name. */
const PATCH_PACKAGE = `#!/usr/bin/env node
if (require("node:fs").existsSync("does-not-apply")) process.exit(1);
`;

let dir: string;

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower my dir é-"));
	for (const folder of ["dev", "patches"]) await mkdir(join(dir, folder));
	for (const file of await readdir(join(ROOT, "dev")))
		if (file.endsWith(".mjs"))
			await copyFile(join(ROOT, "dev", file), join(dir, "dev", file));
	await writeFile(join(dir, PATCH), "one\n");
	await writePackage("node", `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
	await writePackage("patch-package", PATCH_PACKAGE);
	const { scripts } = await readJson(join(ROOT, "package.json"));
	await writeJson("package.json", {
		name: "airtower",
		version: "0.1.0",
		scripts: { postinstall: scripts.postinstall },
		dependencies: {
			node: "file:packages/node",
			"patch-package": "file:packages/patch-package",
		},
	});
	await npm("install", "--package-lock-only", "--ignore-scripts");
});

afterEach(() => rm(dir, { recursive: true, force: true }));

async function readJson(
	path: string,
): Promise<{ scripts: Record<string, string> }> {
	return JSON.parse(await readFile(path, "utf8"));
}

async function writeJson(path: string, content: object): Promise<void> {
	await writeFile(join(dir, path), JSON.stringify(content));
}

async function writePackage(name: string, program: string): Promise<void> {
	const folder = join("packages", name);
	await mkdir(join(dir, folder), { recursive: true });
	const bin = { [name]: "program.cjs" };
	await writeJson(join(folder, "package.json"), {
		name,
		version: "1.0.0",
		bin,
	});
	await writeFile(join(dir, folder, "program.cjs"), program);
	await chmod(join(dir, folder, "program.cjs"), 0o755);
}

function npm(...args: string[]) {
	return run("npm", [...args, "--offline", "--no-audit"], { cwd: dir });
}

/** What a start does first; true when it installed. */
async function start(): Promise<boolean> {
	const module = JSON.stringify(join(dir, "dev/ensure-installed.mjs"));
	const program = `import(${module}).then((m) => m.ensureInstalled())`;
	const { stdout } = await run(process.execPath, ["-e", program], { cwd: dir });
	return stdout.includes("Installed in");
}

test("a start installs once, and again when only a patch has changed", async () => {
	expect(await start()).toBe(true);
	expect(await start()).toBe(false);
	await appendFile(join(dir, PATCH), "two\n");
	expect(await start()).toBe(true);
	expect(await start()).toBe(false);
});

/** What documents have somebody type first, on a fresh clone. */
test.each(["start", "test", "compose:secrets"])(
	"npm run %s installs first, then runs on the repository's own Node",
	async (script) => {
		const { scripts } = await readJson(join(ROOT, "package.json"));
		const [runner, program] = scripts[script]?.split(/ (?=\S+$)/) ?? [];
		expect(runner).toBe("node dev/run.mjs");
		expect(await readFile(join(ROOT, program ?? ""), "utf8")).not.toBe("");
		await writeFile(join(dir, "program.cjs"), "console.log(process.argv[2])");
		const args = ["dev/run.mjs", "program.cjs", "an argument"];
		const { stdout } = await run(process.execPath, args, { cwd: dir });
		expect(stdout).toMatch(/Installed in .*\.\nan argument\n$/);
	},
);

test.each(["ci", "install"])(
	"what npm %s has installed is not installed again",
	async (command) => {
		await npm(command);
		expect(await start()).toBe(false);
	},
);

test("packages whose patches could not be applied are no installation", async () => {
	await writeFile(join(dir, "does-not-apply"), "");
	await expect(npm("ci")).rejects.toThrow();
	await expect(start()).rejects.toThrow("npm ci failed");
	await rm(join(dir, "does-not-apply"));
	expect(await start()).toBe(true);
});

test.each(["--package-lock-only", "--dry-run"])(
	"npm install %s leaves the installation as it was",
	async (option) => {
		await npm("ci");
		await appendFile(join(dir, PATCH), "two\n");
		await npm("install", option);
		expect(await start()).toBe(true);
	},
);

test("an npm that runs no scripts is told of", async () => {
	await writeFile(join(dir, ".npmrc"), "ignore-scripts=true\n");
	await expect(start()).rejects.toThrow("ignore-scripts");
});
