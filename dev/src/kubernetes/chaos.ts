import { openCluster } from "./cluster.ts";
import { drainNode } from "./drain-node.ts";
import { readSettings } from "./settings.ts";
import { deletePods, NAMESPACE, runUnderLoad } from "./under-load.ts";

/**
 * On the cluster of `KUBECONFIG`, where `npm run verify:kubernetes` put the development overlay: deletes a pod of each
 * service in turn, then drains a node, under load.
 * @throws Error naming what was lost, doubled or refused
 */
export async function runKubernetesChaos(): Promise<void> {
	const settings = readSettings(process.env);
	const cluster = openCluster(settings.KUBECTL, NAMESPACE);
	const path = "jsonpath={.spec.template.spec.containers[0].image}";
	// The simulators run in the image that the load needs too.
	const image = await cluster.kubectl(["get", "deployment/smsc", "-o", path]);
	await runUnderLoad(cluster, image, settings, () => deletePods(cluster));
	await runUnderLoad(cluster, image, settings, () => drainNode(cluster));
}
