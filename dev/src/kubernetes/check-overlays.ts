import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cluster } from "./cluster.ts";
import { run } from "./shell.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** What operators bring; a file for each kind, of the definition's name. */
const DEFINITIONS = join(root, "dev/kubernetes/crds");
const CHECKED = [
	{ overlay: "staging", namespace: "airtower-staging" },
	{ overlay: "production", namespace: "airtower" },
];

/** The API server checks every field of the overlays that need operators, and makes nothing of them. */
export async function checkOverlays(cluster: Cluster): Promise<void> {
	await addDefinitions(cluster);
	for (const { overlay, namespace } of CHECKED) {
		const made = ["create", "namespace", namespace, "--dry-run=client"];
		const yaml = await cluster.kubectl([...made, "-o", "yaml"]);
		await cluster.kubectl(["apply", "-f", "-"], yaml);
		await run(cluster.program, [
			"apply",
			"--server-side",
			"--dry-run=server",
			"-k",
			join(root, "deploy/k8s/overlays", overlay),
		]);
	}
}

/** Those that the cluster lacks; an operator's own stay as they are. */
async function addDefinitions({ kubectl }: Cluster): Promise<void> {
	const present = await kubectl(["get", "crds", "-o", "name"]);
	const names = present.split("\n").map((name) => name.split("/").at(-1));
	const missing = (await readdir(DEFINITIONS)).filter(
		(file) => !names.includes(nameIn(file)),
	);
	for (const file of missing)
		await kubectl(["create", "-f", join(DEFINITIONS, file)]);
	// Not each at once: kubectl cannot wait for one that has no status yet.
	for (const file of missing)
		await kubectl([
			"wait",
			"--for",
			"condition=established",
			`crd/${nameIn(file)}`,
		]);
}

function nameIn(file: string): string {
	return file.replace(/\.json$/, "");
}
