import { type Manifest, type Overlay, ofKind } from "./manifest.ts";

type Named = { readonly name: string };
/** Secrets by name, with what is in them. */
export type Secrets = ReadonlyMap<string, Readonly<Record<string, string>>>;

const HASH = /-[2456789bcdfghkmt]{10}$/;

/** The name that a generator was given, without the hash of what is in it. */
export function plainName(name: string): string {
	return name.replace(HASH, "");
}

/** Every secret that an overlay has, or that an operator makes for it; a name twice when two make it. */
export function secretsOf(
	overlay: Overlay,
	store: Secrets,
): [string, Readonly<Record<string, string>>][] {
	return [
		...ofKind(overlay, "Secret").map(
			({ metadata, data = {} }) => [metadata.name, decoded(data)] as const,
		),
		...external(overlay, store),
		...ofKind<{ secretName: string }>(overlay, "Certificate").map(
			({ spec }) =>
				[spec.secretName, keys("tls.crt", "tls.key", "ca.crt")] as const,
		),
		...fromKafka(overlay),
		// CloudNativePG keeps the authority of each cluster.
		...ofKind(overlay, "Cluster").map(
			({ metadata }) =>
				[`${metadata.name}-ca`, keys("ca.crt", "ca.key")] as const,
		),
	].map(([name, content]) => [name, content]);
}

function external(overlay: Overlay, store: Secrets) {
	type Spec = {
		readonly target: Named;
		readonly dataFrom: readonly {
			readonly extract: { readonly key: string };
		}[];
	};
	return ofKind<Spec>(overlay, "ExternalSecret").map(({ spec }) => {
		const names = spec.dataFrom.map(({ extract }) =>
			extract.key.replace("airtower/", ""),
		);
		const contents = names.map((name) => store.get(name) ?? {});
		return [spec.target.name, Object.assign({}, ...contents)] as const;
	});
}

/** Strimzi keeps a user's password in a secret of the user's name, behind a prefix; and its authority's certificate. */
function fromKafka(overlay: Overlay) {
	type Spec = {
		readonly entityOperator: {
			readonly userOperator: { readonly secretPrefix?: string };
		};
	};
	const [kafka]: Manifest<Spec>[] = ofKind<Spec>(overlay, "Kafka");
	const { secretPrefix = "" } = kafka?.spec.entityOperator.userOperator ?? {};
	const users = ofKind(overlay, "KafkaUser").map(
		({ metadata: { name } }) =>
			[`${secretPrefix}${name}`, keys("password", "sasl.jaas.config")] as const,
	);
	return kafka === undefined
		? users
		: [
				...users,
				[`${kafka.metadata.name}-cluster-ca-cert`, keys("ca.crt")] as const,
			];
}

function keys(...names: string[]): Record<string, string> {
	return Object.fromEntries(names.map((name) => [name, "made-by-an-operator"]));
}

function decoded(data: Readonly<Record<string, string>>) {
	return Object.fromEntries(
		Object.entries(data).map(([key, value]) => [
			key,
			Buffer.from(value, "base64").toString("utf8"),
		]),
	);
}
