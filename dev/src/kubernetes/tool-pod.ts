import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";

interface ToolPod {
	readonly name: string;
	/** What the container runs, from the repository's root. */
	readonly args: readonly string[];
	readonly image: string;
}

const POLL_MS = 1_000;
const SERVICES = ["accounts", "messaging", "whatsapp", "campaigns", "webhooks"];

/** Starts a pod beside the services, which finds their addresses and the admins' key in its environment. */
export async function startToolPod(
	cluster: Cluster,
	{ name, args, image }: ToolPod,
): Promise<void> {
	await cluster.kubectl(["delete", "pod", name, "--ignore-not-found"]);
	const pod = {
		apiVersion: "v1",
		kind: "Pod",
		metadata: { name, labels: { "airtower.dev/role": "admin" } },
		spec: {
			restartPolicy: "Never",
			automountServiceAccountToken: false,
			enableServiceLinks: false,
			securityContext: {
				runAsNonRoot: true,
				runAsUser: 65_532,
				seccompProfile: { type: "RuntimeDefault" },
			},
			containers: [{ name: "tool", image, args, ...toolContainer() }],
			volumes: [{ name: "admin", secret: { secretName: "admin-identity" } }],
		},
	};
	await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(pod));
}

/** Waits until the pod has ended and returns what it printed; throws that when it failed. */
export async function untilEnded(
	cluster: Cluster,
	name: string,
	timeoutMs: number,
): Promise<string> {
	const deadline = performance.now() + timeoutMs;
	const path = "jsonpath={.status.phase}";
	for (;;) {
		const phase = await cluster.kubectl(["get", "pod", name, "-o", path]);
		const printed = () => cluster.kubectl(["logs", name]);
		if (phase === "Succeeded") return printed();
		if (phase === "Failed") throw new Error(await printed());
		if (performance.now() > deadline)
			throw new Error(`${name} has not ended:\n${await printed()}`);
		await delay(POLL_MS);
	}
}

function toolContainer() {
	const urls = SERVICES.map((service) => ({
		name: `${service.toUpperCase()}_RPC_URL`,
		value: `http://${service}:9000`,
	}));
	return {
		volumeMounts: [{ name: "admin", mountPath: "/admin", readOnly: true }],
		env: [
			...urls,
			{ name: "AIRTOWER_ADMIN_KEY_FILE", value: "/admin/key.json" },
			{ name: "CLOUD_API_URL", value: "http://cloud-api:8080" },
			{ name: "CLOUD_API_TOKEN", value: "development-only-access-token" },
			{ name: "SMSC_CONTROL_URL", value: "http://smsc:2776" },
			{
				name: "RECEIVER_HOST",
				valueFrom: { fieldRef: { fieldPath: "status.podIP" } },
			},
		],
		securityContext: {
			allowPrivilegeEscalation: false,
			readOnlyRootFilesystem: true,
			capabilities: { drop: ["ALL"] },
		},
		resources: { requests: { cpu: "20m", memory: "96Mi" } },
	};
}
