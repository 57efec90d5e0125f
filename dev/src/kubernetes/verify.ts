import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cluster, openCluster } from "./cluster.ts";
import { buildImages, type Images, loadImages } from "./images.ts";
import { faultsIn, type LoadReport } from "./load-report.ts";
import { readSettings, type Settings } from "./settings.ts";
import { run } from "./shell.ts";
import { startToolPod, untilEnded } from "./tool-pod.ts";

const DEPLOY = fileURLToPath(new URL("../../../deploy/k8s/", import.meta.url));
const NAMESPACE = "airtower-dev";
const SERVERS = ["statefulset/postgres", "statefulset/kafka"];
const DEPLOYMENTS = [
	...["smsc", "cloud-api", "accounts", "messaging", "messaging-delivery"],
	...["whatsapp", "campaigns", "webhooks", "gateway"],
];
const SERVICES = DEPLOYMENTS.slice(2);
const DEMO_TIMEOUT_MS = 300_000;
const PER_SECOND = "100";
const CHECKED = [
	{ overlay: "staging", namespace: "airtower-staging" },
	{ overlay: "production", namespace: "airtower" },
];

/*
 * On the cluster that KUBECONFIG names: builds and brings in the images, applies the development overlay, runs the
 * demo, then deletes a pod of each service in turn and restarts all of them under load, and lets the API server check
 * the production overlay.
 */
try {
	const settings = readSettings(process.env);
	const cluster = openCluster(settings.KUBECTL, NAMESPACE);
	const images = await tell("images", () => prepareImages(settings));
	await tell("applied and ready", () => apply(cluster, images));
	await tell("demo", () => runDemo(cluster, images));
	await tell("disruption under load", () => disrupt(cluster, images, settings));
	await tell("staging and production overlays", () =>
		checkOverlays(cluster, settings),
	);
} catch (error) {
	process.stderr.write(
		`\n  ${error instanceof Error ? error.message : error}\n`,
	);
	process.exitCode = 1;
}

async function tell<T>(name: string, work: () => Promise<T>): Promise<T> {
	const startedAt = performance.now();
	const result = await work();
	const seconds = Math.round((performance.now() - startedAt) / 1_000);
	console.log(`  ✓ ${name} (${seconds} s)`);
	return result;
}

async function prepareImages(settings: Settings): Promise<Images> {
	const images = await buildImages(settings);
	await loadImages(settings, images);
	return images;
}

async function apply(cluster: Cluster, images: Images): Promise<void> {
	const folder = await mkdtemp(join(DEPLOY, "overlays", ".verify-"));
	try {
		const path = join(folder, "kustomization.yaml");
		await writeFile(path, JSON.stringify(overlayWith(images)));
		await cluster.kubectl(["apply", "-k", relative(process.cwd(), folder)]);
	} finally {
		await rm(folder, { recursive: true });
	}
	for (const server of SERVERS) await cluster.untilReady(server);
	for (const name of DEPLOYMENTS)
		await cluster.untilReady(`deployment/${name}`);
}

function overlayWith(images: Images) {
	return {
		apiVersion: "kustomize.config.k8s.io/v1beta1",
		kind: "Kustomization",
		resources: ["../dev"],
		images: Object.entries(images).map(([name, { newName, newTag }]) => ({
			...{ name, newName, newTag },
		})),
	};
}

async function runDemo(cluster: Cluster, images: Images): Promise<void> {
	const args = ["dev/src/demo.ts", "--base-url", "http://gateway"];
	await startToolPod(cluster, { name: "demo", args, image: toolImage(images) });
	console.log(await untilEnded(cluster, "demo", DEMO_TIMEOUT_MS));
}

/** The pods of every service go one after the other, then all are restarted; nothing is refused, lost or sent twice. */
async function disrupt(
	cluster: Cluster,
	images: Images,
	settings: Settings,
): Promise<void> {
	const args = ["dev/src/kubernetes/load.ts", settings.LOAD_S, PER_SECOND];
	await startToolPod(cluster, { name: "load", args, image: toolImage(images) });
	for (const service of SERVICES) {
		const [pod = ""] = await cluster.pods(`app.kubernetes.io/name=${service}`);
		await cluster.kubectl(["delete", pod, "--wait=false"]);
		await cluster.untilReady(`deployment/${service}`);
		console.log(`    a pod of ${service} was deleted`);
	}
	for (const service of SERVICES)
		await cluster.kubectl(["rollout", "restart", `deployment/${service}`]);
	for (const service of SERVICES)
		await cluster.untilReady(`deployment/${service}`);
	console.log("    all were restarted");
	const phase = await cluster.kubectl(
		...[["get", "pod", "load", "-o", "jsonpath={.status.phase}"] as const],
	);
	if (phase !== "Running")
		throw new Error("The load ended before the restarts; raise LOAD_S.");
	const timeoutMs = (Number(settings.LOAD_S) + 300) * 1_000;
	const printed = await untilEnded(cluster, "load", timeoutMs);
	const report = JSON.parse(
		printed.trim().split("\n").at(-1) ?? "",
	) as LoadReport;
	console.log(
		`    ${JSON.stringify({ ...report, failures: report.failures.length })}`,
	);
	const faults = faultsIn(report);
	if (faults.length > 0) throw new Error(faults.join("\n  "));
}

/** The API server checks every field, those of the operators' resources too: their definitions must be there. */
async function checkOverlays(
	cluster: Cluster,
	{ CRDS }: Settings,
): Promise<void> {
	if (CRDS !== undefined)
		await cluster.kubectl(["apply", "--server-side", "-f", CRDS]);
	for (const { overlay, namespace } of CHECKED) {
		const made = [
			"create",
			"namespace",
			namespace,
			"--dry-run=client",
			"-o",
			"yaml",
		];
		const yaml = await cluster.kubectl(made);
		await cluster.kubectl(["apply", "-f", "-"], yaml);
		const path = join(DEPLOY, "overlays", overlay);
		await run(cluster.program, [
			...["apply", "--server-side", "--dry-run=server", "-k", path],
		]);
	}
}

function toolImage(images: Images): string {
	const image = images["airtower-dev"];
	return `${image.newName}:${image.newTag}`;
}
