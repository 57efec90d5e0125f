import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import fastify from "fastify";

export async function loadScalar() {
	const { default: apiReference } = await import(
		"@scalar/fastify-api-reference"
	);
	const source = fastify();
	await source.register(apiReference, {
		routePrefix: "/docs",
		configuration: { url: "openapi.json" },
	});
	const { payload: plain } = await source.inject("/docs/js/scalar.js");
	await source.close();
	const hash = createHash("sha256").update(plain).digest("base64url");
	const gzipped = await promisify(gzip)(plain);
	return { etag: `"${hash}"`, plain, gzipped };
}
