import { STOP_TIMEOUT_MS } from "@airtower/platform/runtime/lifecycle";
import { type Overlay, ofKind, selects } from "../manifest.ts";
import type { Secrets } from "../secrets.ts";
import {
	type Container,
	serviceWorkloads,
	type Workload,
	workloads,
} from "../workload.ts";
import { type Environment, environmentsOf } from "./variables.ts";

const SPREAD_OVER = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];
/** How long nodes and clients may take to notice that a pod is going, seconds. */
const MIN_DRAIN_WAIT_S = 5;
const UNITS: Readonly<Record<string, number>> = { Mi: 1, Gi: 1_024 };

/** Pods with more rights than they need, without bounds, or that are killed before their drain is over. */
export function podFaults(overlay: Overlay, store: Secrets): string[] {
	const environments = environmentsOf(overlay, store);
	return [
		...workloads(overlay).flatMap((workload) => [
			...rightsFaults(workload),
			...accountFaults(workload, overlay),
			...workload.pod.containers.flatMap((one) =>
				containerFaults(workload, one),
			),
		]),
		...serviceWorkloads(overlay).flatMap((workload) => [
			...drainFaults(workload, environments),
			...spreadFaults(workload),
		]),
	];
}

function rightsFaults({ name, pod }: Workload): string[] {
	const {
		runAsNonRoot,
		runAsUser = 0,
		seccompProfile,
	} = pod.securityContext ?? {};
	return faults(name, {
		"mounts a token": pod.automountServiceAccountToken !== false,
		"has variables of every service": pod.enableServiceLinks !== false,
		"may run as root": runAsNonRoot !== true || runAsUser < 1,
		"has no seccomp profile": seccompProfile?.type !== "RuntimeDefault",
		"is in the host's network": pod.hostNetwork === true,
		"mounts the host's files":
			pod.volumes?.some(({ hostPath }) => hostPath) === true,
	});
}

function accountFaults({ name, pod }: Workload, overlay: Overlay): string[] {
	if (pod.serviceAccountName === undefined) return [];
	const account = ofKind(overlay, "ServiceAccount").find(
		({ metadata }) => metadata.name === pod.serviceAccountName,
	);
	return faults(name, {
		"has an account that is not there": account === undefined,
		"has an account with a token":
			account?.automountServiceAccountToken !== false,
	});
}

/** Servers that are not ours write beside their data. */
function containerFaults({ name }: Workload, container: Container): string[] {
	const { securityContext: context, resources = {} } = container;
	const { requests = {}, limits = {} } = resources;
	const isOurs = container.image.includes("airtower");
	return faults(`${name}/${container.name}`, {
		"may gain rights": context?.allowPrivilegeEscalation !== false,
		"keeps capabilities":
			context?.capabilities?.drop?.join() !== "ALL" ||
			context.capabilities.add !== undefined,
		"may write to its root": isOurs && context?.readOnlyRootFilesystem !== true,
		"asks for no cpu": requests.cpu === undefined,
		"may fill the node's disk":
			isOurs &&
			!(
				mebibytes(requests["ephemeral-storage"]) <=
				mebibytes(limits["ephemeral-storage"])
			),
		"asks for more memory than it may have, or for none": !(
			mebibytes(requests.memory) <= mebibytes(limits.memory)
		),
	});
}

function drainFaults(
	{ name, pod }: Workload,
	environments: readonly Environment[],
): string[] {
	const own = environments.find(({ workload }) => workload === name);
	const { terminationGracePeriodSeconds: graceS = 30 } = pod;
	return faults(name, {
		"is stopped before every node has taken it out":
			Number(own?.variables.DRAIN_WAIT_S ?? 0) < MIN_DRAIN_WAIT_S,
		"is killed before its drain is over": graceS <= STOP_TIMEOUT_MS / 1_000,
	});
}

function spreadFaults({ name, labels, pod }: Workload): string[] {
	return SPREAD_OVER.filter(
		(key) =>
			!pod.topologySpreadConstraints?.some(
				({ topologyKey, labelSelector, matchLabelKeys = [] }) =>
					topologyKey === key &&
					selects(labelSelector, labels) &&
					matchLabelKeys.includes("app.kubernetes.io/name"),
			),
	).map((key) => `${name} is not spread over ${key}`);
}

/** What is said of a workload for each fault that was found. */
export function faults(name: string, found: Readonly<Record<string, boolean>>) {
	return Object.keys(found)
		.filter((what) => found[what])
		.map((what) => `${name} ${what}`);
}

function mebibytes(amount = ""): number {
	const [, number, unit = ""] = /^(\d+)(Mi|Gi)$/.exec(amount) ?? [];
	return Number(number) * (UNITS[unit] ?? Number.NaN);
}
