import type { securitySchemes } from "../../../openapi/texts.ts";

type SchemeName = keyof typeof securitySchemes;

/** Everything comes from us: a browser that reads the reference talks to nobody else. */
export const CONTENT_SECURITY_POLICY = [
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

export const PAGE = `<!doctype html>
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

/** Codes and statuses stay whole: the last column, a sentence, has what they leave; a narrow page scrolls the table. */
const TABLE_STYLE = `
.scalar-app .markdown table { display: block; overflow-x: auto; }
.scalar-app .markdown :is(th, td):not(:last-child) { white-space: nowrap; }
.scalar-app .markdown :is(th, td):last-child { min-width: 12em; word-break: normal; }
`;

/** Addresses are relative to the page's; no proxy, font, telemetry or assistant of anybody else. */
export const START = `Scalar.createApiReference("#app", ${JSON.stringify({
	url: "openapi.json",
	authentication: { preferredSecurityScheme: "bearer" satisfies SchemeName },
	customCss: TABLE_STYLE,
	proxyUrl: "",
	telemetry: false,
	withDefaultFonts: false,
	hideClientButton: true,
	showDeveloperTools: "never",
	agent: { disabled: true },
	mcp: { disabled: true },
})});
`;
