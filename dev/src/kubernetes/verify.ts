import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkImage } from "./check-image.ts";
import { checkOverlays } from "./check-overlays.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { buildImages, type Images, loadImages, nameOf } from "./images.ts";
import { readSettings, type Settings } from "./settings.ts";
import { startToolPod, untilEnded } from "./tool-pod.ts";
import { deletePods, NAMESPACE, runUnderLoad, SERVICES } from "./under-load.ts";

const DEPLOY = fileURLToPath(new URL("../../../deploy/k8s/", import.meta.url));
const SERVERS = ["statefulset/postgres", "statefulset/kafka"];
const DEPLOYMENTS = ["smsc", "cloud-api", ...SERVICES];
const DEMO_TIMEOUT_MS = 300_000;

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
	await tell("staging and production overlays", () => checkOverlays(cluster));
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
	await checkImage(settings, nameOf(images.airtower));
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
			name,
			newName,
			newTag,
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
	await runUnderLoad(cluster, toolImage(images), settings, async () => {
		await deletePods(cluster);
		for (const service of SERVICES)
			await cluster.kubectl(["rollout", "restart", `deployment/${service}`]);
		for (const service of SERVICES)
			await cluster.untilReady(`deployment/${service}`);
		console.log("    all were restarted");
	});
}

function toolImage(images: Images): string {
	return nameOf(images["airtower-dev"]);
}
