import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { beforeAll, expect, test } from "vitest";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

const PROTO_DIR = fileURLToPath(new URL("../proto", import.meta.url));

let system: SharedSystem;

beforeAll(async () => {
	system = await sharedSystem();
});

type UnaryCall = (
	request: object,
	metadata: grpc.Metadata,
	done: (error: grpc.ServiceError | null, response?: unknown) => void,
) => void;

/** A client made of nothing but the .proto files, as an internal team would write it. */
function stockClient(file: string, name: string) {
	const definition = loadSync(file, {
		includeDirs: [PROTO_DIR],
		longs: Number,
		enums: String,
	});
	const Client = grpc.makeGenericClientConstructor(
		definition[name] as grpc.ServiceDefinition,
		name,
	);
	const { host } = new URL(system.addresses.messaging.rpcUrl);
	const client = new Client(host, grpc.credentials.createInsecure());
	return {
		call: (method: string, request: object, token?: string) =>
			new Promise<Record<string, unknown>>((resolve, reject) => {
				const metadata = new grpc.Metadata();
				if (token !== undefined)
					metadata.set("authorization", `Bearer ${token}`);
				const unary = (client as unknown as Record<string, UnaryCall>)[method];
				unary?.call(client, request, metadata, (error, response) =>
					error === null
						? resolve(response as Record<string, unknown>)
						: reject(error),
				);
			}),
		close: () => client.close(),
	};
}

test("a stock gRPC client sends with a caller token, and is refused without one or for another organization", async () => {
	const organization = await createOrganization(adminClients(system), 10);
	const client = stockClient(
		"airtower/messaging/v1/messaging.proto",
		"airtower.messaging.v1.MessagingService",
	);
	const request = {
		messages: [
			{ organizationId: organization.id, to: "+33612349999", body: "Hello" },
		],
	};
	const token = await system.callerToken({
		audience: "messaging",
		organization: organization.id,
	});
	expect(await client.call("sendMessages", request, token)).toMatchObject({
		results: [{ accepted: { remainingQuota: 9 } }],
	});
	await expect(client.call("sendMessages", request)).rejects.toMatchObject({
		code: grpc.status.UNAUTHENTICATED,
	});
	const foreign = await system.callerToken({
		audience: "messaging",
		organization: "01890000-0000-7000-8000-000000000000",
	});
	await expect(
		client.call("sendMessages", request, foreign),
	).rejects.toMatchObject({
		code: grpc.status.PERMISSION_DENIED,
	});
	await expect(
		client.call("sendMessages", { messages: [] }, token),
	).rejects.toMatchObject({
		code: grpc.status.INVALID_ARGUMENT,
	});
	client.close();
});

test("standard health responds without a token", async () => {
	const client = stockClient(
		"grpc/health/v1/health.proto",
		"grpc.health.v1.Health",
	);
	expect(await client.call("check", { service: "" })).toMatchObject({
		status: "SERVING",
	});
	expect(
		await client.call("check", {
			service: "airtower.messaging.v1.MessagingService",
		}),
	).toMatchObject({ status: "SERVING" });
	client.close();
});
