import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readKey } from "@airtower/dev/secrets/identity-keys";
import { serviceNames } from "@airtower/dev/start/system";
import { mintToken } from "@airtower/platform/identity/caller-token";
import { accessOf } from "@airtower/platform/rpc/access";
import { ServerReflection } from "@airtower/proto/grpc/reflection/v1/reflection";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
	Code,
	ConnectError,
	createClient,
	type Transport,
} from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, test } from "vitest";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

const GENERATED = fileURLToPath(new URL("../proto/gen/", import.meta.url));
const ORGANIZATION = "018f0000-0000-7000-8000-000000000001";
const ISSUERS = [...serviceNames, "admin"];
const called = serviceNames.filter((name) => name !== "gateway");

type Called = (typeof called)[number];
type Call = (request: object, options: object) => Promise<unknown>;

let system: SharedSystem;
const servers = new Map<
	string,
	{ transport: Transport; methods: DescMethod[] }
>();

beforeAll(async () => {
	system = await sharedSystem();
	const contracts = await readContracts();
	for (const name of called) {
		const { rpcUrl } = system.addresses[name];
		const transport = createConnectTransport({
			baseUrl: rpcUrl,
			httpVersion: "2",
			// A server closes strangers' connections after 10 s without a call; this client could begin one just then.
			idleConnectionTimeoutMs: 2_000,
		});
		const services = await listServices(transport);
		const methods = services.flatMap(
			(one) => contracts.get(one)?.methods ?? [],
		);
		servers.set(name, { transport, methods });
	}
});

/** Every service of our contracts, by its name. */
async function readContracts(): Promise<Map<string, DescService>> {
	const found = new Map<string, DescService>();
	for await (const path of glob("airtower/**/*_pb.ts", { cwd: GENERATED })) {
		const exported: object = await import(`${GENERATED}${path}`);
		for (const one of Object.values(exported) as Partial<DescService>[])
			if (one?.kind === "service" && one.typeName !== undefined)
				found.set(one.typeName, one as DescService);
	}
	return found;
}

/** What a running server says that it serves, our own services alone. */
async function listServices(transport: Transport): Promise<string[]> {
	const { serverReflectionInfo } = createClient(ServerReflection, transport);
	async function* requests() {
		yield { messageRequest: { case: "listServices", value: "" } } as const;
	}
	for await (const { messageResponse } of serverReflectionInfo(requests()))
		if (messageResponse.case === "listServicesResponse")
			return messageResponse.value.service
				.map(({ name }) => name)
				.filter((name) => name.startsWith("airtower."));
	return [];
}

function methodsOf(
	name: Called,
	which: (callers: readonly string[]) => boolean,
) {
	const methods = servers.get(name)?.methods ?? [];
	return methods.filter((method) => which(accessOf(method).callers));
}

/** The server begins the first 16 calls of a new connection and refuses the others; gRPC clients repeat such a call. */
const isUnseen = (error: unknown) => String(error).includes("REFUSED_STREAM");

/** How a method refuses the token; the code of a request without fields where it lets the caller in. */
async function codeOf(name: Called, method: DescMethod, token: string) {
	const transport = servers.get(name)?.transport as Transport;
	const client = createClient(method.parent, transport);
	const call = (client as unknown as Record<string, Call>)[method.localName];
	const headers = { authorization: `Bearer ${token}` };
	const tryOnce = () =>
		call?.({}, { headers }).then(
			() => undefined,
			(error: unknown) => error,
		);
	let error = await tryOnce();
	while (isUnseen(error)) error = await tryOnce();
	return error === undefined ? "served" : Code[ConnectError.from(error).code];
}

async function codesOf(
	name: Called,
	methods: readonly DescMethod[],
	tokenFor: () => Promise<string>,
) {
	const codes = methods.map(async (method) => [
		method.name,
		await codeOf(name, method, await tokenFor()),
	]);
	return Object.fromEntries(await Promise.all(codes)) as Record<string, string>;
}

function all(methods: readonly DescMethod[], code: string) {
	return Object.fromEntries(methods.map(({ name }) => [name, code]));
}

function tokenOf(issuer: string, audience: Called, organization: string) {
	return mintToken({
		key: readKey(system.keysDir, issuer),
		audience,
		organization,
		lifetimeSeconds: 60,
		...(issuer === "admin" && { person: "Eve" }),
	});
}

describe.each(called)("with the gateway's key in hand, of %s", (name) => {
	test.each(["*", ORGANIZATION])(
		"every admin method refuses, for the organization %s",
		async (organization) => {
			const methods = methodsOf(
				name,
				(callers) => callers.includes("admin") && !callers.includes("gateway"),
			);
			expect(methods.length).toBeGreaterThan(0);
			const token = () => tokenOf("gateway", name, organization);
			const codes = await codesOf(name, methods, token);
			expect(codes).toEqual(all(methods, "PermissionDenied"));
		},
	);

	test("no method believes that it is another's", async () => {
		const methods = methodsOf(name, () => true);
		const key = readKey(system.keysDir, "gateway");
		for (const iss of ISSUERS.filter((issuer) => issuer !== "gateway")) {
			const token = await mintToken({
				key: { ...key, issuer: iss },
				person: "Eve",
				audience: name,
				organization: "*",
				lifetimeSeconds: 60,
			});
			const codes = await codesOf(name, methods, async () => token);
			expect(codes, iss).toEqual(all(methods, "Unauthenticated"));
		}
	});

	test("no method that is about one organization is served for all of them", async () => {
		const methods = methodsOf(name, (callers) =>
			callers.includes("gateway"),
		).filter((method) => !accessOf(method).everyOrganization);
		expect(methods.length).toBeGreaterThan(0);
		const token = () => tokenOf("gateway", name, "*");
		const codes = await codesOf(name, methods, token);
		expect(codes).toEqual(all(methods, "PermissionDenied"));
	});
});

describe.each(ISSUERS)("the key of %s", (issuer) => {
	test.each(called)(
		"opens no method of %s but those whose contract names it",
		async (name) => {
			const methods = methodsOf(name, (callers) => !callers.includes(issuer));
			const token = () => tokenOf(issuer, name, ORGANIZATION);
			const codes = await codesOf(name, methods, token);
			expect(codes).toEqual(all(methods, "PermissionDenied"));
		},
	);
});

test("webhooks cannot release quota", async () => {
	const [method] = methodsOf("accounts", () => true).filter(
		({ name }) => name === "ReleaseQuota",
	);
	if (method === undefined) throw new Error("there is no such method");
	const token = (issuer: string) => tokenOf(issuer, "accounts", "*");
	const code = async (issuer: string) =>
		codeOf("accounts", method, await token(issuer));
	expect(await code("webhooks")).toBe("PermissionDenied");
	// Let in, and told that the request names nothing to release.
	expect(await code("messaging")).toBe("InvalidArgument");
});
