import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv, type ValidateFunction } from "ajv";
import { type Manifest, nameOf } from "./manifest.ts";

type Schema = { [key: string]: unknown };
interface Kind {
	readonly group: string;
	readonly version: string;
	readonly kind: string;
}
interface Definition {
	readonly spec: {
		readonly group: string;
		readonly names: { readonly kind: string };
		readonly versions: readonly [
			{ readonly name: string; readonly schema: { openAPIV3Schema: Schema } },
		];
	};
}

const FOLDER = fileURLToPath(new URL("../../dev/kubernetes/", import.meta.url));
const META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
/** Kubernetes' document says "string" for what its server also takes as a number. */
const NUMBERS_TOO = /(intstr\.IntOrString|resource\.Quantity)$/;

const api = readJson("api.json") as { definitions: Record<string, Schema> };
const ajv = new Ajv({
	strict: false,
	allErrors: true,
	validateFormats: false,
	code: { regExp: goPattern },
});
const validators = new Map<string, ValidateFunction>();
for (const [name, schema] of Object.entries(api.definitions))
	ajv.addSchema(
		NUMBERS_TOO.test(name)
			? { type: ["string", "number"] }
			: asStrict(schema, (ref) => ref.replace("#/definitions/", "")),
		name,
	);
for (const [name, schema] of Object.entries(api.definitions))
	for (const kind of kindsOf(schema)) addKind(kind, { $ref: name });
for (const file of readdirSync(join(FOLDER, "crds")))
	addDefinition(readJson(join("crds", file)) as Definition);

/** What the API server would not take of an object, or would drop; every field that nobody knows is a fault. */
export function schemaFaults(manifest: Manifest): string[] {
	const validate = validators.get(`${manifest.apiVersion} ${manifest.kind}`);
	if (validate === undefined)
		return [
			`${nameOf(manifest)}: dev/kubernetes has no ${manifest.kind} of ${manifest.apiVersion}`,
		];
	const isValid: boolean = validate(manifest);
	if (isValid) return [];
	return (validate.errors ?? []).map(({ instancePath, message, params }) => {
		const { additionalProperty: unknown } = params;
		const what = unknown === undefined ? message : `has no field ${unknown}`;
		return `${nameOf(manifest)}: ${instancePath || "/"} ${what}`;
	});
}

function addDefinition({ spec }: Definition): void {
	const [{ name: version, schema }] = spec.versions;
	const { properties, ...rest } = schema.openAPIV3Schema;
	const strict = asStrict(
		{ ...rest, properties: { ...(properties as Schema), metadata: {} } },
		(ref) => ref,
	);
	(strict.properties as Schema).metadata = { $ref: META };
	addKind({ group: spec.group, version, kind: spec.names.kind }, strict);
}

function addKind({ group, version, kind }: Kind, schema: Schema): void {
	const apiVersion = group === "" ? version : `${group}/${version}`;
	const validate = ajv.compile({
		allOf: [schema, { required: ["apiVersion", "kind", "metadata"] }],
	});
	validators.set(`${apiVersion} ${kind}`, validate);
}

function kindsOf(schema: Schema): readonly Kind[] {
	return (schema["x-kubernetes-group-version-kind"] ?? []) as Kind[];
}

/** The schema, refusing every field that it does not name. */
function asStrict(schema: Schema, toRef: (ref: string) => string): Schema {
	const walk = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value !== "object" || value === null) return value;
		return asStrict(value as Schema, toRef);
	};
	const walked = Object.fromEntries(
		Object.entries(schema).map(([key, value]) => [
			key,
			key === "$ref" ? toRef(String(value)) : walk(value),
		]),
	);
	if (schema["x-kubernetes-int-or-string"] === true)
		return { ...walked, type: ["integer", "string"] };
	const isOpen =
		!("properties" in schema) ||
		typeof schema.properties !== "object" ||
		"additionalProperties" in schema ||
		schema["x-kubernetes-preserve-unknown-fields"] === true;
	return isOpen || !isSchema(schema)
		? walked
		: { ...walked, additionalProperties: false };
}

/** An object with a field that is called `properties` is no schema. */
function isSchema({ type }: Schema): boolean {
	return type === "object" || type === undefined;
}

/** Go has the flags of a pattern within it. */
function goPattern(pattern: string, flags: string): RegExp {
	return pattern.includes("(?i)")
		? new RegExp(pattern.replace("(?i)", ""), `${flags}i`)
		: new RegExp(pattern, flags);
}
goPattern.code = "goPattern";

function readJson(name: string): unknown {
	return JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
}
