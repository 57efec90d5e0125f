import openapiTS, { astToString } from "openapi-typescript";

const DOCUMENT = new URL(
	"../../services/gateway/openapi.json",
	import.meta.url,
);

/** TypeScript types of the public API, generated from its OpenAPI document. */
export async function generatedSchema(): Promise<string> {
	const nodes = await openapiTS(DOCUMENT, { immutable: true });
	return astToString(nodes);
}
