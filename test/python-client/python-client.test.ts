import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { hasPython, installPython, makeRunFolder } from "../support/python.ts";

const run = promisify(execFile);
const FEWEST_OPERATIONS = 35;
/** Seconds, and longer where it is fetched first. */
const TIMEOUT_MS = 600_000;

const name = "openapi-python-client";
const document = fileURLToPath(
	new URL("../../services/gateway/openapi.json", import.meta.url),
);
const IMPORT_ALL = `
import importlib, pkgutil, client
for module in pkgutil.walk_packages(client.__path__, "client."):
    importlib.import_module(module.name)
`;

const python = await hasPython();
if (!python && process.env.CI === "true")
	throw new Error(`NO PYTHON: ${name} needs Python 3.10 with venv.`);

test.skipIf(!python)(
	`${python ? "" : "NO PYTHON 3.10 WITH VENV, NOT RUN: "}${name} makes a client with every operation, without a warning`,
	async () => {
		const bin = await installPython(
			name,
			new URL("./requirements.txt", import.meta.url),
		);
		const cwd = await makeRunFolder(name);
		onTestFinished(() => rm(cwd, { recursive: true, force: true }));
		const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
		const { stdout, stderr } = await run(
			join(bin, name),
			[
				"generate",
				"--path",
				document,
				"--output-path",
				"client",
				"--meta",
				"none",
				"--fail-on-warning",
			],
			{ cwd, env },
		);
		expect(`${stdout}${stderr}`).not.toMatch(/warning/i);
		const operations = await findOperations();
		expect(operations.length).toBeGreaterThanOrEqual(FEWEST_OPERATIONS);
		expect(await findModules(join(cwd, "client", "api"))).toEqual(operations);
		await run(join(bin, "python"), ["-c", IMPORT_ALL], { cwd, env });
	},
	TIMEOUT_MS,
);

/** The operations of the document by the names of their modules. */
async function findOperations(): Promise<string[]> {
	const { paths } = JSON.parse(await readFile(document, "utf8"));
	const ids = Object.values(Object(paths)).flatMap((methods) =>
		Object.values(Object(methods)).map((one) => Object(one).operationId),
	);
	return sorted(
		ids.map((id) =>
			String(id).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
		),
	);
}

async function findModules(folder: string): Promise<string[]> {
	const files = await readdir(folder, { recursive: true });
	const names = files.map((file) => file.split("/").at(-1) ?? "");
	return sorted(
		names
			.filter((file) => file.endsWith(".py") && file !== "__init__.py")
			.map((file) => file.replace(/\.py$/, "")),
	);
}

const sorted = (names: readonly string[]) =>
	names.toSorted((one, other) => one.localeCompare(other));
