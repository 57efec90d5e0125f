import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintToken, type TokenClaims } from "../identity/caller-token.ts";
import { createKeyPair } from "../identity/key-pair.ts";
import { parseTrustedKeys } from "../identity/trusted-keys.ts";
import {
	jwkSet,
	signingKey,
	testKey,
	testKeyPair,
} from "../testing/identities.ts";
import { assertOrganization, callerOf } from "./caller.ts";
import { rpcRoute } from "./route.ts";
import type { RpcServer } from "./server.ts";
import { oneMethodService } from "./testing/one-method-service.ts";
import { AUDIENCE, ORGANIZATION, startTestServer } from "./testing/server.ts";
import { type StockGrpc, stockGrpc } from "./testing/stock-grpc.ts";

const LIST = "airtower.webhooks.v1.WebhooksService/ListEndpoints";
const COUNT = "airtower.webhooks.v1.WebhooksAdminService/CountDeliveries";
const request = { organizationId: ORGANIZATION, page: { limit: 1 } };

/** A service whose contract forgot to say who may call it. */
const undeclared = oneMethodService("UndeclaredService");

const team = createKeyPair("team:billing", [ORGANIZATION]);
const trusted = parseTrustedKeys(
	jwkSet([...["gateway", "campaigns", "admin"].map(testKeyPair), team]),
);

let server: RpcServer;
let grpc: StockGrpc;

beforeAll(async () => {
	server = await startTestServer({
		trustedKeys: () => trusted,
		webhooks: {
			listEndpoints: ({ organizationId }, context) => {
				assertOrganization(context, organizationId);
				return { endpoints: [{ id: callerOf(context).issuer }] };
			},
		},
		routes: [rpcRoute(undeclared, {})],
	});
	grpc = stockGrpc(server.port);
});

afterAll(async () => {
	grpc.close();
	await server.close();
});

/** A token of the gateway for the organization, unless the claims say otherwise. */
function tokenWith(claims: Partial<TokenClaims> = {}): Promise<string> {
	return mintToken({
		key: testKey("gateway"),
		audience: AUDIENCE,
		organization: ORGANIZATION,
		lifetimeSeconds: 60,
		...claims,
	});
}

const personal = { key: testKey("admin"), person: "Ada", organization: "*" };
const OTHER = "018f0000-0000-7000-8000-00000000ffff";

describe("a method", () => {
	test("is served to a stock gRPC client with a token of an issuer that it names", async () => {
		const token = await tokenWith();
		const { response } = await grpc.unary(LIST, request, { token });
		expect(response).toMatchObject({ endpoints: [{ id: "gateway" }] });
	});

	test("is served to an admin's token for every service", async () => {
		const token = await tokenWith({ ...personal, audience: "*" });
		await grpc.unary(LIST, request, { token });
		await grpc.unary(COUNT, { organizationId: ORGANIZATION }, { token });
	});

	test("is served to a team for its own organization, whose key opens no other", async () => {
		const key = signingKey(team);
		const token = await tokenWith({ key });
		const { response } = await grpc.unary(LIST, request, { token });
		expect(response).toMatchObject({ endpoints: [{ id: "team:billing" }] });
		for (const organization of [OTHER, "*"])
			await expect(
				grpc.unary(LIST, request, {
					token: await tokenWith({ key, organization }),
				}),
			).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
	});

	test("is refused without a token", async () => {
		await expect(grpc.unary(LIST, request)).rejects.toMatchObject({
			code: status.UNAUTHENTICATED,
			details: "The caller token is missing.",
		});
	});

	const bad: [string, () => Promise<string> | string][] = [
		["expired", () => tokenWith({ lifetimeSeconds: -60 })],
		["for another service", () => tokenWith({ audience: "accounts" })],
		["no token", () => "garbage"],
	];
	test.each(bad)("is refused when the token is %s", async (_name, token) => {
		await expect(
			grpc.unary(LIST, request, { token: await token() }),
		).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
	});

	const refused: [string, string, Partial<TokenClaims>, string][] = [
		[
			"an issuer that it does not name",
			...([LIST, { key: testKey("campaigns") }] as const),
			'The method does not serve "campaigns".',
		],
		[
			"the gateway, where it is an admin's",
			...([COUNT, {}] as const),
			'The method does not serve "gateway".',
		],
		[
			"a service's token for all organizations",
			...([LIST, { organization: "*" }] as const),
			"The method needs a caller token for one organization.",
		],
		[
			"a token for another organization",
			...([LIST, { organization: OTHER }] as const),
			"The caller may not act for this organization.",
		],
	];
	test.each(refused)("is refused to %s", async (_who, path, claims, why) => {
		const token = await tokenWith(claims);
		await expect(grpc.unary(path, request, { token })).rejects.toMatchObject({
			code: status.PERMISSION_DENIED,
			details: why,
		});
	});

	test("that declares no access is refused to everybody", async () => {
		const token = await tokenWith({ ...personal, audience: "*" });
		await expect(
			grpc.unary(`${undeclared.typeName}/Do`, {}, { token }),
		).rejects.toMatchObject({
			code: status.PERMISSION_DENIED,
			details: "The method declares no access rule.",
		});
	});
});
