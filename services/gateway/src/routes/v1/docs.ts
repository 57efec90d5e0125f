import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import fastify from "fastify";
import { publicAccess } from "../../domain/access.ts";
import type { App } from "../routes.ts";

/** Everything comes from us: a browser that reads the reference talks to nobody else. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data: blob:",
	"font-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Airtower API</title>
</head>
<body>
<div id="app"></div>
<script src="docs/scalar.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Addresses are relative to the page's; no proxy, font, telemetry or assistant of anybody else. */
const START = `Scalar.createApiReference("#app", ${JSON.stringify({
	url: "openapi.json",
	proxyUrl: "",
	telemetry: false,
	withDefaultFonts: false,
	hideClientButton: true,
	showDeveloperTools: "never",
	agent: { disabled: true },
	mcp: { disabled: true },
})});
`;

interface Asset {
	readonly etag: string;
	readonly plain: string;
	readonly gzipped: Buffer;
}

/** GET /docs: the interactive API reference. */
export function docsRoutes(app: App): void {
	let scalar: Promise<Asset> | undefined;
	const route = { config: { access: publicAccess }, schema: { hide: true } };

	app.get("/docs", route, (_request, reply) => {
		reply
			.header("content-security-policy", CONTENT_SECURITY_POLICY)
			.header("referrer-policy", "no-referrer")
			.type("text/html; charset=utf-8")
			.send(PAGE);
	});

	app.get("/docs/start.js", route, (_request, reply) => {
		reply.type("text/javascript; charset=utf-8").send(START);
	});

	app.get("/docs/scalar.js", route, async (request, reply) => {
		scalar ??= loadScalar();
		const asset = await scalar;
		reply
			.header("cache-control", "no-cache")
			.header("etag", asset.etag)
			.header("vary", "accept-encoding")
			.type("text/javascript; charset=utf-8");
		if (request.headers["if-none-match"] === asset.etag)
			return reply.code(304).send();
		if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? ""))
			return reply.send(asset.plain);
		return reply.header("content-encoding", "gzip").send(asset.gzipped);
	});
}

/** The script as its own plugin serves it; read when first wanted, because it is large. */
async function loadScalar(): Promise<Asset> {
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
