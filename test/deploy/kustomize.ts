import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "@airtower/dev/kubernetes/shell";
import { parseAllDocuments } from "yaml";
import type { Manifest } from "./manifest.ts";

const VERSION = "5.8.1";
const MODULE = `sigs.k8s.io/kustomize/kustomize/v5@v${VERSION}`;
const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, ".cache");
const program = join(cache, `kustomize-${VERSION}`);

/**
 * Whether this machine can render overlays: it has kustomize, or Go to build it. Under CI=true it throws instead of
 * `false`.
 */
export async function canRender(): Promise<boolean> {
	if (existsSync(program) || (await hasGo())) return true;
	const line = "NO KUSTOMIZE: install Go 1.24 or newer, which builds it once";
	if (process.env.CI === "true") throw new Error(`${line}.`);
	process.stderr.write(`\n*** ${line}; the overlays are not checked. ***\n\n`);
	return false;
}

/** What `kubectl apply -k` would send for a folder of `deploy/k8s`. The first call builds kustomize, about a minute. */
export async function render(folder: string): Promise<Manifest[]> {
	if (!existsSync(program)) await build();
	const path = join(root, "deploy/k8s", folder);
	const printed = await run(program, ["build", path]);
	return parseAllDocuments(printed).map((one) => one.toJS() as Manifest);
}

/** Go checks the module's sum with its public log; a crash leaves no half of a program. */
async function build(): Promise<void> {
	await mkdir(cache, { recursive: true });
	const draft = await mkdtemp(join(cache, "kustomize-"));
	try {
		await run("env", [
			"CGO_ENABLED=0",
			`GOBIN=${draft}`,
			"go",
			"install",
			MODULE,
		]);
		await rename(join(draft, "kustomize"), program);
	} finally {
		await rm(draft, { recursive: true, force: true });
	}
}

async function hasGo(): Promise<boolean> {
	return run("go", ["version"]).then(
		() => true,
		() => false,
	);
}
