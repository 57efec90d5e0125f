import {
	type Labels,
	type Overlay,
	ofKind,
	type Selector,
	selects,
} from "./manifest.ts";

interface Peer {
	readonly podSelector?: Selector;
	readonly namespaceSelector?: Selector;
	readonly ipBlock?: {
		readonly cidr: string;
		readonly except?: readonly string[];
	};
}
interface Rule {
	readonly from?: readonly Peer[];
	readonly to?: readonly Peer[];
	readonly ports?: readonly { readonly port?: string | number }[];
}
interface Policy {
	readonly podSelector: Selector;
	readonly policyTypes: readonly string[];
	readonly ingress?: readonly Rule[];
	readonly egress?: readonly Rule[];
}

/** One end of a connection: a pod of the overlay's namespace, or a whole other namespace. */
type End = { readonly pod: Labels } | { readonly namespace: string };
interface Port {
	readonly number: number;
	readonly name?: string;
}

/** A network of pods' addresses; a rule for addresses that leaves it out takes no pod. */
const POD_NETWORK = "10.0.0.0/8";

/** Without a policy for a pod everything may leave it. */
export function mayLeave(
	overlay: Overlay,
	from: Labels,
	to: End,
	port: Port,
): boolean {
	const policies = policiesFor(overlay, from, "Egress");
	const rules = policies.flatMap(({ egress = [] }) => egress);
	return (
		policies.length === 0 ||
		rules.some((rule) => takes(rule.to, to) && opens(rule, port))
	);
}

/** Without a policy for a pod everything may enter it. */
export function mayEnter(
	overlay: Overlay,
	to: Labels,
	from: End,
	port: Port,
): boolean {
	const policies = policiesFor(overlay, to, "Ingress");
	const rules = policies.flatMap(({ ingress = [] }) => ingress);
	return (
		policies.length === 0 ||
		rules.some((rule) => takes(rule.from, from) && opens(rule, port))
	);
}

function policiesFor(overlay: Overlay, labels: Labels, type: string): Policy[] {
	return ofKind<Policy>(overlay, "NetworkPolicy")
		.map(({ spec }) => spec)
		.filter(({ policyTypes }) => policyTypes.includes(type))
		.filter(({ podSelector }) => selects(podSelector, labels));
}

function takes(peers: readonly Peer[] | undefined, end: End): boolean {
	return (
		peers === undefined ||
		peers.some(({ podSelector = {}, namespaceSelector, ipBlock }) => {
			if (ipBlock !== undefined)
				return !(
					ipBlock.except?.includes(POD_NETWORK) || ipBlock.cidr === "::/0"
				);
			if ("pod" in end)
				return namespaceSelector === undefined && selects(podSelector, end.pod);
			const labels = { "kubernetes.io/metadata.name": end.namespace };
			return (
				namespaceSelector !== undefined && selects(namespaceSelector, labels)
			);
		})
	);
}

function opens({ ports }: Rule, { number, name }: Port): boolean {
	return (
		ports === undefined ||
		ports.some(({ port }) => port === number || port === name)
	);
}
