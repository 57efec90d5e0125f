import { readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { trustedKeysFile } from "@airtower/dev/secrets/identity-keys";
import { mintToken } from "@airtower/platform/identity/caller-token";
import type { TrustedJwk } from "@airtower/platform/identity/jwk";
import { createKeyPair } from "@airtower/platform/identity/key-pair";
import { parseSigningKey } from "@airtower/platform/identity/signing-key";
import { eventually } from "@airtower/platform/testing/eventually";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { beforeAll, expect, test } from "vitest";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

const PROTO_DIR = fileURLToPath(new URL("../proto", import.meta.url));

/** Services read the file every 2 s; the rest is a busy machine's. */
const REMOVED_MS = 10_000;

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

/** Changes the file of the trusted keys as an operator does, while services run. */
async function changeKeys(change: (keys: TrustedJwk[]) => TrustedJwk[]) {
	const path = trustedKeysFile(system.keysDir);
	const { keys } = JSON.parse(await readFile(path, "utf8"));
	await writeFile(`${path}.new`, JSON.stringify({ keys: change(keys) }));
	await rename(`${path}.new`, path);
}

/** Makes a team's key, trusts it, and returns what mints its tokens and what takes the trust away. */
async function newTeam(name: string, organization: string) {
	const { privateKey, trustedKey } = createKeyPair(name, [organization]);
	await changeKeys((keys) => [...keys, trustedKey]);
	const key = parseSigningKey(JSON.stringify(privateKey));
	const remove = () =>
		changeKeys((keys) => keys.filter(({ kid }) => kid !== trustedKey.kid));
	const tokenFor = (organization: string) =>
		mintToken({
			key,
			audience: "messaging",
			organization,
			lifetimeSeconds: 60,
		});
	return { tokenFor, remove };
}

test("a team's stock gRPC client sends for its organization by its own key, for nobody else, and no more when the key is taken out", async () => {
	const { id } = await createOrganization(adminClients(system), 10);
	const { tokenFor, remove } = await newTeam(`team:t${Date.now()}`, id);
	const client = stockClient(
		"airtower/messaging/v1/messaging.proto",
		"airtower.messaging.v1.MessagingService",
	);
	const request = {
		messages: [{ organizationId: id, to: "+33612349999", body: "Hello" }],
	};
	const token = await tokenFor(id);
	const result = await eventually(() =>
		client.call("sendMessages", request, token),
	);
	expect(result).toMatchObject({
		results: [{ accepted: { remainingQuota: 9 } }],
	});
	for (const refused of [
		undefined,
		await tokenFor("01890000-0000-7000-8000-000000000000"),
		await tokenFor("*"),
	])
		await expect(
			client.call("sendMessages", request, refused),
		).rejects.toMatchObject({ code: grpc.status.UNAUTHENTICATED });
	await expect(
		client.call("listStoredMessages", { limit: 1 }, token),
	).rejects.toMatchObject({ code: grpc.status.PERMISSION_DENIED });
	await expect(
		client.call("sendMessages", { messages: [] }, token),
	).rejects.toMatchObject({ code: grpc.status.INVALID_ARGUMENT });
	await remove();
	const removed = { code: grpc.status.UNAUTHENTICATED };
	await eventually(
		() =>
			expect(
				client.call("sendMessages", { messages: [] }, token),
			).rejects.toMatchObject(removed),
		{ timeoutMs: REMOVED_MS },
	);
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
