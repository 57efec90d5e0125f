import { scopes as allScopes } from "@airtower/proto/rules/scopes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../src/app.ts";
import { unconnectedContext } from "../src/openapi/standalone.ts";
import type { Routes } from "../src/routes/routes.ts";
import { type CallOptions, call } from "./call.ts";
import { rows } from "./rows.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const send = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, options);

describe.each(rows)("$name", ({ method, path, body, scope, success }) => {
	const as = async (apiKey: string, url = path) => {
		const response = await send(url, { method, apiKey, body });
		expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
		return [
			response.status,
			response.body.error?.code,
			response.body.error?.details,
		];
	};

	test(`is ${success} for a key with its scope, 403 for any other and where the organization may not act`, async () => {
		expect((await as(apiKey))[0]).toBe(success);
		const scopes = allScopes.filter((one) => one !== scope);
		const narrow = world.accounts.addKey({ scopes });
		expect(await as(narrow.apiKey)).toEqual([403, "insufficient_scope", []]);
		for (const organizationState of ["suspended", "closed"]) {
			const inactive = world.accounts.addKey({ organizationState });
			const refused = [403, "organization_suspended", []];
			expect(await as(inactive.apiKey)).toEqual(refused);
		}
	});

	test("names an unknown query parameter", async () => {
		const url = `${path}${path.includes("?") ? "&" : "?"}limt=1`;
		const detail = { field: "limt", code: "unknown_parameter" };
		expect(await as(apiKey, url)).toMatchObject([
			400,
			"validation_failed",
			[detail],
		]);
	});
});

test("a route that does not say who may use it keeps the gateway from starting", async () => {
	const ctx = unconnectedContext();
	const openRoutes: Routes = (app) => {
		app.get("/open", async () => ({}));
	};
	await expect(buildApp(ctx, [openRoutes])).rejects.toThrow(
		"GET /api/v1/open does not say who may use it",
	);
	await ctx.sql.end();
});

test("every described operation is public or names its scope", async () => {
	const ctx = unconnectedContext();
	const app = await buildApp(ctx);
	for (const methods of Object.values(app.openApi().paths))
		for (const operation of Object.values(methods))
			expect(operation.security?.length).toBe(
				operation["x-required-scope"] === undefined ? 0 : 2,
			);
	await app.close();
	await ctx.sql.end();
});
