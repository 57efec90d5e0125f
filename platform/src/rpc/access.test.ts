import {
	create,
	createFileRegistry,
	type DescService,
} from "@bufbuild/protobuf";
import {
	FileDescriptorProtoSchema,
	file_google_protobuf_empty,
} from "@bufbuild/protobuf/wkt";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testKeyRing } from "../testing/keys.ts";
import { assertOrganization, callerOf } from "./caller.ts";
import { type CallerRole, mintToken } from "./caller-token.ts";
import { rpcRoute } from "./route.ts";
import type { RpcServer } from "./server.ts";
import { AUDIENCE, ORGANIZATION, startTestServer } from "./testing/server.ts";
import { type StockGrpc, stockGrpc } from "./testing/stock-grpc.ts";

const LIST = "airtower.webhooks.v1.WebhooksService/ListEndpoints";
const COUNT = "airtower.webhooks.v1.WebhooksAdminService/CountDeliveries";
const request = { organizationId: ORGANIZATION, page: { limit: 1 } };

/** A service whose contract forgot to say who may call it. */
const undeclared = undeclaredService();

let server: RpcServer;
let grpc: StockGrpc;

beforeAll(async () => {
	server = await startTestServer({
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

function tokenWith(
	claims: Partial<Parameters<typeof mintToken>[0]> = {},
): Promise<string> {
	return mintToken({
		ring: testKeyRing,
		issuer: "gateway",
		audience: AUDIENCE,
		organization: "*",
		role: "service",
		lifetimeSeconds: 60,
		...claims,
	});
}

describe("a method for callers", () => {
	test("is served to a stock gRPC client with a caller token", async () => {
		const { response } = await grpc.unary(LIST, request, {
			token: await tokenWith(),
		});
		expect(response).toMatchObject({ endpoints: [{ id: "gateway" }] });
	});

	test("is served to a token for every service", async () => {
		const token = await tokenWith({ audience: "*", role: "admin" });
		await grpc.unary(LIST, request, { token });
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

	test("is refused for another organization than the token's", async () => {
		const own = await tokenWith({ organization: ORGANIZATION });
		await grpc.unary(LIST, request, { token: own });
		const foreign = await tokenWith({
			organization: "018f0000-0000-7000-8000-00000000ffff",
		});
		await expect(
			grpc.unary(LIST, request, { token: foreign }),
		).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
	});
});

describe("a method for admins", () => {
	async function countAs(role: CallerRole) {
		const token = await tokenWith({ role });
		return grpc.unary(COUNT, { organizationId: ORGANIZATION }, { token });
	}

	test("is served to the role admin", async () => {
		expect((await countAs("admin")).response).toEqual({
			counts: { pending: 1 },
		});
	});

	test("is refused to the role service", async () => {
		await expect(countAs("service")).rejects.toMatchObject({
			code: status.PERMISSION_DENIED,
		});
	});
});

test("a method that declares no access is refused to everybody", async () => {
	const token = await tokenWith({ audience: "*", role: "admin" });
	await expect(
		grpc.unary(`${undeclared.typeName}/Do`, {}, { token }),
	).rejects.toMatchObject({
		code: status.PERMISSION_DENIED,
		details: "The method declares no access rule.",
	});
});

function undeclaredService(): DescService {
	const file = create(FileDescriptorProtoSchema, {
		name: "test/undeclared.proto",
		package: "test",
		syntax: "proto3",
		dependency: ["google/protobuf/empty.proto"],
		service: [
			{
				name: "UndeclaredService",
				method: [
					{
						name: "Do",
						inputType: ".google.protobuf.Empty",
						outputType: ".google.protobuf.Empty",
					},
				],
			},
		],
	});
	const registry = createFileRegistry(file, () => file_google_protobuf_empty);
	const service = registry.getService("test.UndeclaredService");
	if (service === undefined) throw new Error("the descriptor is malformed");
	return service;
}
