import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { SERVICES } from "./under-load.ts";

const DRAIN_TIMEOUT = "240s";
const POLL_MS = 500;

/**
 * Evicts the pods of all services from a node that runs one, as its budgets allow it. Where no other node could take
 * them, the node takes pods again as soon as its drain has begun. The servers of the development overlay stay: each
 * is a single pod.
 */
export async function drainNode(cluster: Cluster): Promise<void> {
	const selector = `app.kubernetes.io/name in (${SERVICES.join(",")})`;
	const path = "jsonpath={.items[*].spec.nodeName}";
	const found = await cluster.kubectl([
		"get",
		"pods",
		"-l",
		selector,
		"-o",
		path,
	]);
	const node = found.split(" ")[0] ?? "";
	const nodes = await cluster.kubectl(["get", "nodes", "-o", "name"]);
	const isOnly = nodes.trim().split("\n").length === 1;
	const drained = cluster.kubectl([
		"drain",
		node,
		"--pod-selector",
		selector,
		"--timeout",
		DRAIN_TIMEOUT,
		"--ignore-daemonsets",
		"--delete-emptydir-data",
	]);
	try {
		if (isOnly) {
			await Promise.race([untilCordoned(cluster, node), drained]);
			await cluster.kubectl(["uncordon", node]);
		}
		await drained;
	} finally {
		await cluster.kubectl(["uncordon", node]);
	}
	for (const service of SERVICES)
		await cluster.untilReady(`deployment/${service}`);
	console.log(`    ${node} was drained`);
}

async function untilCordoned(cluster: Cluster, node: string): Promise<void> {
	const path = "jsonpath={.spec.unschedulable}";
	while ((await cluster.kubectl(["get", "node", node, "-o", path])) !== "true")
		await delay(POLL_MS);
}
