import type { Cluster } from "./cluster.ts";
import { faultsIn, type LoadReport } from "./load-report.ts";
import type { Settings } from "./settings.ts";
import { startToolPod, untilEnded } from "./tool-pod.ts";

export const NAMESPACE = "airtower-dev";
/** The deployments of the product. */
export const SERVICES = [
	"accounts",
	"messaging",
	"messaging-delivery",
	"whatsapp",
	"campaigns",
	"webhooks",
	"gateway",
];

const PER_SECOND = "100";
/** After its last message the load waits for callbacks. */
const AFTER_LOAD_S = 300;

/** Sends messages all the while. @throws Error naming requests that failed, and counts that differ */
export async function runUnderLoad(
	cluster: Cluster,
	image: string,
	{ LOAD_S }: Pick<Settings, "LOAD_S">,
	act: () => Promise<void>,
): Promise<void> {
	const args = ["dev/src/kubernetes/load.ts", LOAD_S, PER_SECOND];
	await startToolPod(cluster, { name: "load", args, image });
	await act();
	const phase = await cluster.kubectl([
		"get",
		"pod",
		"load",
		"-o",
		"jsonpath={.status.phase}",
	]);
	if (phase !== "Running")
		throw new Error("The load ended before the disruption; raise LOAD_S.");
	const timeoutMs = (Number(LOAD_S) + AFTER_LOAD_S) * 1_000;
	const printed = await untilEnded(cluster, "load", timeoutMs);
	const lastLine = printed.trim().split("\n").at(-1) ?? "";
	const report = JSON.parse(lastLine) as LoadReport;
	console.log(
		`    ${JSON.stringify({ ...report, failures: report.failures.length })}`,
	);
	const faults = faultsIn(report);
	if (faults.length > 0) throw new Error(faults.join("\n  "));
}

/** One of each service in turn; the next goes when its place is taken. */
export async function deletePods(cluster: Cluster): Promise<void> {
	for (const service of SERVICES) {
		const [pod = ""] = await cluster.pods(`app.kubernetes.io/name=${service}`);
		await cluster.kubectl(["delete", pod, "--wait=false"]);
		await cluster.untilReady(`deployment/${service}`);
		console.log(`    a pod of ${service} was deleted`);
	}
}
