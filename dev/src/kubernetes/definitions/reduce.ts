type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Schema = { [key: string]: Json };

/** A definition of a kind, as the API server takes it: one version, without words for people. */
export function reduceDefinition(definition: Schema): Schema {
	const { metadata, spec } = definition as {
		metadata: { name: string };
		spec: { group: Json; names: Json; scope: Json; versions: Schema[] };
	};
	const { group, names, scope, versions } = spec;
	const { name, schema, subresources = {} } = newest(versions);
	return {
		apiVersion: "apiextensions.k8s.io/v1",
		kind: "CustomResourceDefinition",
		metadata: { name: metadata.name, annotations: approval(group) },
		spec: {
			group,
			names,
			scope,
			versions: [
				{
					name,
					subresources,
					served: true,
					storage: true,
					schema: withoutDescriptions(schema),
				} as Schema,
			],
		},
	};
}

/** The definitions that these kinds are made of. */
export function reduceDocument(
	definitions: Readonly<Record<string, Schema>>,
	kinds: readonly string[],
): Schema {
	const reduced: Schema = {};
	const add = (name: string) => {
		if (name in reduced) return;
		const definition = definitions[name];
		if (definition === undefined) throw new Error(`There is no ${name}.`);
		reduced[name] = withoutDescriptions(definition);
		for (const [, next = ""] of JSON.stringify(definition).matchAll(
			/"#\/definitions\/([^"]+)"/g,
		))
			add(next);
	};
	for (const kind of kinds) add(kind);
	return Object.fromEntries(Object.entries(reduced).sort());
}

function newest(versions: readonly Schema[]): Schema {
	const stored = versions.find(({ storage }) => storage === true);
	if (stored === undefined) throw new Error("No version is stored.");
	return stored;
}

/** The API server takes kinds of the groups of Kubernetes' own community with a word about their review only. */
function approval(group: Json): Schema {
	return String(group).endsWith(".k8s.io")
		? { "api-approved.kubernetes.io": "https://github.com/kubernetes-sigs" }
		: {};
}

/** What programs read of it. */
export function withoutDescriptions(value: Json | undefined): Json {
	if (Array.isArray(value)) return value.map(withoutDescriptions);
	if (typeof value !== "object" || value === null) return value ?? null;
	const kept = Object.entries(value).filter(
		([key, inner]) => !(key === "description" && typeof inner === "string"),
	);
	return Object.fromEntries(
		kept.map(([key, inner]) => [key, withoutDescriptions(inner)]),
	);
}
