import { run } from "./shell.ts";

/** The cluster that `KUBECONFIG` names, seen from one namespace. */
export interface Cluster {
	/** kubectl, or what stands in for it. */
	readonly program: string;
	kubectl(args: readonly string[], input?: string): Promise<string>;
	/** Resolves once every replica of a deployment or stateful set is ready. */
	untilReady(resource: string): Promise<void>;
	/** Names of the pods with these labels. */
	pods(selector: string): Promise<string[]>;
}

const READY_TIMEOUT = "300s";

export function openCluster(kubectl: string, namespace: string): Cluster {
	const call: Cluster["kubectl"] = (args, input) =>
		run(kubectl, ["--namespace", namespace, ...args], input);
	return {
		program: kubectl,
		kubectl: call,
		untilReady: async (resource) => {
			await call(["rollout", "status", resource, "--timeout", READY_TIMEOUT]);
		},
		pods: async (selector) => {
			const names = await call(["get", "pods", "-l", selector, "-o", "name"]);
			return names.split("\n").filter(Boolean);
		},
	};
}
