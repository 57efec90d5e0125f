import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { run } from "../shell.ts";
import {
	reduceDefinition,
	reduceDocument,
	type Schema,
	withoutDescriptions,
} from "./reduce.ts";
import { compose, kubernetes, operators, strimziClasses } from "./sources.ts";

const FOLDER = fileURLToPath(new URL("../../../kubernetes/", import.meta.url));

/*
 * Renews dev/kubernetes: what the API server knows of every kind that deploy/k8s uses. Needs Go, Maven and Java 21,
 * and takes about 150 MB from the Go module proxy.
 */
const drafts = await mkdtemp(join(tmpdir(), "definitions-"));
try {
	await rm(join(FOLDER, "crds"), { recursive: true, force: true });
	await mkdir(join(FOLDER, "crds"));
	for (const { module, folder, files } of operators) {
		const root = await download(module);
		for (const file of files) await writeKind(join(root, folder, file));
	}
	for (const file of await strimziDefinitions(drafts)) await writeKind(file);
	await writeOwnKinds();
	await writeComposeSchema();
} finally {
	await rm(drafts, { recursive: true });
}

async function download(module: string): Promise<string> {
	const printed = await run("go", ["mod", "download", "-json", module]);
	return (JSON.parse(printed) as { Dir: string }).Dir;
}

async function strimziDefinitions(folder: string): Promise<string[]> {
	const jars = join(folder, "jars");
	await run("mvn", [
		"-B",
		"-q",
		"-f",
		join(FOLDER, "pom.xml"),
		"dependency:copy-dependencies",
		`-DoutputDirectory=${jars}`,
	]);
	const files = strimziClasses.map((name) => ({
		name,
		file: join(folder, `${name}.yaml`),
	}));
	await run("java", [
		"-cp",
		`${jars}/*`,
		"io.strimzi.crdgenerator.CrdGenerator",
		"--yaml",
		...files.map(({ name, file }) => `${name}=${file}`),
	]);
	return files.map(({ file }) => file);
}

async function writeKind(file: string): Promise<void> {
	const reduced = reduceDefinition(parse(await readFile(file, "utf8")));
	const { name } = reduced.metadata as { name: string };
	await writeJson(join("crds", `${name}.json`), reduced);
}

async function writeOwnKinds(): Promise<void> {
	const file = join(await download(kubernetes.module), kubernetes.file);
	const { definitions } = JSON.parse(await readFile(file, "utf8")) as {
		definitions: Record<string, Schema>;
	};
	await writeJson("api.json", {
		definitions: reduceDocument(definitions, kubernetes.kinds),
	});
}

async function writeComposeSchema(): Promise<void> {
	const file = join(await download(compose.module), compose.file);
	const schema = JSON.parse(await readFile(file, "utf8")) as Schema;
	await writeJson("compose.json", withoutDescriptions(schema) as Schema);
}

function writeJson(name: string, value: Schema): Promise<void> {
	return writeFile(join(FOLDER, name), `${JSON.stringify(value)}\n`);
}
