import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../services/gateway/src/openapi/document.ts";

interface Parameter {
	readonly name: string;
	readonly in: string;
}

interface Schema {
	readonly format?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly $ref?: string;
}

/** A place of the public API where a caller names a row. */
export interface IdInput {
	readonly method: string;
	readonly path: string;
	readonly place: "path" | "query" | "body";
	readonly name: string;
	/** The document's example of the request body. */
	readonly example: Readonly<Record<string, unknown>>;
}

const document: OpenApiDocument = JSON.parse(
	readFileSync(
		new URL("../../services/gateway/openapi.json", import.meta.url),
		"utf8",
	),
);

/** Every id in a path, id or cursor in a query, and field of format uuid in a body, of every operation. */
export function idInputs(): IdInput[] {
	return Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).flatMap(([method, operation]) => {
			const media = operation.requestBody?.content["application/json"];
			const at = {
				method: method.toUpperCase(),
				path,
				example: Object(media?.example),
			};
			const fields = [...new Set(uuidFields(media?.schema ?? {}))];
			return [
				...parametersOf(operation.parameters)
					.filter((parameter) => namesRow(parameter, path))
					.map(({ name, in: place }) => ({
						...at,
						name,
						place: place === "path" ? ("path" as const) : ("query" as const),
					})),
				...fields.map((name) => ({ ...at, name, place: "body" as const })),
			];
		}),
	);
}

/** The paths whose GET needs a key, names no row and shows rows: no sums, no table and no single setting. */
export function listPaths(): string[] {
	return Object.entries(document.paths)
		.filter(([, { get }]) => get?.["x-required-scope"] !== undefined)
		.map(([path]) => path)
		.filter((path) => !/\{|^\/reports\/|\/export$|^\/quiet-hours$/.test(path));
}

function parametersOf(parameters: readonly unknown[] = []): Parameter[] {
	return parameters.map((parameter) => Object(resolve(parameter)));
}

/** A row in the path is looked for before the cursor of a list below it. */
function namesRow({ name, in: place }: Parameter, path: string): boolean {
	if (place === "path") return true;
	if (path.includes("{")) return false;
	return place === "query" && (name === "cursor" || name === "id");
}

function uuidFields(schema: Schema): string[] {
	const { properties = {}, anyOf = [], oneOf = [] } = resolve(schema);
	const own = Object.entries(properties)
		.filter(([, property]) => resolve(property).format === "uuid")
		.map(([name]) => name);
	return [...own, ...[...anyOf, ...oneOf].flatMap(uuidFields)];
}

function resolve(value: unknown): Schema {
	const { $ref } = Object(value);
	if (typeof $ref !== "string") return Object(value);
	let at: unknown = document;
	for (const part of $ref.split("/").slice(1)) at = Object(at)[part];
	return Object(at);
}
