import {
	type Labels,
	nameOf,
	type Overlay,
	ofKind,
	type Selector,
	selects,
} from "../manifest.ts";
import { serviceWorkloads, workloads } from "../workload.ts";

interface Selecting {
	readonly selector: Selector;
}
interface ServiceSpec {
	readonly selector: Labels;
	readonly clusterIP?: string;
	readonly ports: readonly { readonly targetPort?: string | number }[];
}

/** Selectors that take pods of others, or none; services that need what has none. */
export function selectorFaults(overlay: Overlay): string[] {
	return [
		...serviceFaults(overlay),
		...budgetFaults(overlay),
		...ownSelectorFaults(overlay),
		...policyFaults(overlay),
		...monitorFaults(overlay),
	];
}

function selected(overlay: Overlay, selector: Selector): string[] {
	return workloads(overlay)
		.filter(({ labels }) => selects(selector, labels))
		.map(({ name }) => name);
}

/** Each is for the workload of its own name, and its target ports are that one's. */
function serviceFaults(overlay: Overlay): string[] {
	return ofKind<ServiceSpec>(overlay, "Service").flatMap((service) => {
		const { name } = service.metadata;
		const taken = selected(overlay, { matchLabels: service.spec.selector });
		if (taken.join() !== name)
			return [`${nameOf(service)} selects [${taken}] and not ${name}`];
		const target = workloads(overlay).find((one) => one.name === name);
		const ports = target?.pod.containers.flatMap(({ ports = [] }) => ports);
		return service.spec.ports
			.filter(({ targetPort }) => typeof targetPort === "string")
			.filter(
				({ targetPort }) => !ports?.some((one) => one.name === targetPort),
			)
			.map(({ targetPort }) => `${nameOf(service)}: no port ${targetPort}`);
	});
}

function budgetFaults(overlay: Overlay): string[] {
	const budgets = ofKind<Selecting>(overlay, "PodDisruptionBudget");
	return [
		...budgets.flatMap((budget) => {
			const taken = selected(overlay, budget.spec.selector);
			return taken.join() === budget.metadata.name
				? []
				: [`${nameOf(budget)} selects [${taken}]`];
		}),
		...serviceWorkloads(overlay)
			.filter(({ name }) => !budgets.some((one) => one.metadata.name === name))
			.map(({ name }) => `Deployment ${name} has no disruption budget`),
	];
}

function ownSelectorFaults(overlay: Overlay): string[] {
	return workloads(overlay).flatMap(({ kind, name, selector }) => {
		const taken = selector === undefined ? [name] : selected(overlay, selector);
		return taken.join() === name ? [] : [`${kind} ${name} selects [${taken}]`];
	});
}

function policyFaults(overlay: Overlay): string[] {
	type Policy = { readonly podSelector: Selector };
	return ofKind<Policy>(overlay, "NetworkPolicy")
		.filter(({ spec }) => selected(overlay, spec.podSelector).length === 0)
		.map((policy) => `${nameOf(policy)} selects no pod`);
}

/** Where metrics are scraped at all, they are scraped of every service, at a port that it has. */
function monitorFaults(overlay: Overlay): string[] {
	type Monitor = Selecting & {
		readonly podMetricsEndpoints: readonly { readonly port: string }[];
	};
	const monitors = ofKind<Monitor>(overlay, "PodMonitor");
	if (monitors.length === 0) return [];
	return serviceWorkloads(overlay)
		.filter(({ labels, pod }) => {
			const names = pod.containers[0]?.ports?.map(({ name }) => name) ?? [];
			return !monitors.some(
				({ spec }) =>
					selects(spec.selector, labels) &&
					spec.podMetricsEndpoints.every(({ port }) => names.includes(port)),
			);
		})
		.map(({ name }) => `Deployment ${name} is scraped by no monitor`);
}
