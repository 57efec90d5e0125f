import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { generatedSchema } from "./generated-schema.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const run = promisify(execFile);

test("the OpenAPI document passes Redocly's recommended rules without a warning", async () => {
	const { stdout } = await run(
		"node_modules/.bin/redocly",
		[
			"lint",
			"services/gateway/openapi.json",
			"--extends=recommended",
			"--format=json",
		],
		{
			cwd: ROOT,
			env: {
				...process.env,
				REDOCLY_TELEMETRY: "off",
				REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
			},
		},
	);
	const { totals, problems } = JSON.parse(stdout);
	expect(problems).toEqual([]);
	expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("the client's types are those of the document; `node test/api/write-schema.ts` renews them", async () => {
	const file = new URL("./schema.gen.ts", import.meta.url);
	expect(await readFile(file, "utf8")).toBe(await generatedSchema());
});
