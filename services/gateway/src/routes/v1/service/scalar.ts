import fastify from "fastify";
import { type CachedText, toCachedText } from "./cached-text.ts";

export async function loadScalar(): Promise<CachedText> {
	const { default: apiReference } = await import(
		"@scalar/fastify-api-reference"
	);
	const source = fastify();
	await source.register(apiReference, {
		routePrefix: "/docs",
		configuration: { url: "openapi.json" },
	});
	const { payload } = await source.inject("/docs/js/scalar.js");
	await source.close();
	return toCachedText(payload);
}
