import { once } from "node:events";
import { fromBinary } from "@bufbuild/protobuf";
import {
	type FileDescriptorProto,
	FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	onTestFinished,
	test,
} from "vitest";
import type { RpcServer } from "../server.ts";
import { mintTestToken } from "../testing/logged-server.ts";
import { startTestServer } from "../testing/server.ts";
import { type StockGrpc, stockGrpc } from "../testing/stock-grpc.ts";
import type { Message } from "../testing/stock-methods.ts";

const NOT_FOUND = 5;
const WEBHOOKS_FILE = "airtower/webhooks/v1/webhooks.proto";

let server: RpcServer;
let grpc: StockGrpc;

beforeAll(async () => {
	server = await startTestServer();
	grpc = stockGrpc(server.port);
});

afterAll(async () => {
	grpc.close();
	await server.close();
});

/** Sends the requests on one stream and returns the responses in order. */
function ask(version: string, ...requests: Message[]): Promise<Message[]> {
	const stream = grpc.bidiStream(
		`grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
	);
	return new Promise((resolve, reject) => {
		const responses: Message[] = [];
		stream.on("data", (response: Message) => responses.push(response));
		stream.on("error", reject);
		stream.on("end", () => resolve(responses));
		for (const request of requests) stream.write(request);
		stream.end();
	});
}

async function filesFor(
	version: string,
	request: Message,
): Promise<FileDescriptorProto[]> {
	const [response] = await ask(version, request);
	const found = response?.fileDescriptorResponse as
		| { fileDescriptorProto: Uint8Array[] }
		| undefined;
	return (found?.fileDescriptorProto ?? []).map((bytes) =>
		fromBinary(FileDescriptorProtoSchema, bytes),
	);
}

function namesOf(files: readonly FileDescriptorProto[]): string[] {
	return files.map((file) => file.name);
}

describe.each(["v1", "v1alpha"])("server reflection %s", (version) => {
	test("lists the services, without a caller token", async () => {
		const [response] = await ask(version, { listServices: "" });
		expect(response?.listServicesResponse).toEqual({
			service: [
				{ name: "airtower.webhooks.v1.WebhooksService" },
				{ name: "airtower.webhooks.v1.WebhooksAdminService" },
				{ name: "grpc.health.v1.Health" },
			],
		});
	});

	test("returns a file with everything it imports", async () => {
		const files = await filesFor(version, { fileByFilename: WEBHOOKS_FILE });
		expect(files[0]?.name).toBe(WEBHOOKS_FILE);
		expect(namesOf(files)).toEqual(
			expect.arrayContaining([
				"airtower/common/v1/access.proto",
				"buf/validate/validate.proto",
				"google/protobuf/descriptor.proto",
			]),
		);
	});

	test.each([
		"airtower.webhooks.v1.WebhooksService",
		"airtower.webhooks.v1.WebhooksService.CreateEndpoint",
		"airtower.webhooks.v1.CreateEndpointRequest",
		"airtower.webhooks.v1.CreateEndpointRequest.url",
	])("finds the file that declares %s", async (symbol) => {
		const files = await filesFor(version, { fileContainingSymbol: symbol });
		expect(files[0]?.name).toBe(WEBHOOKS_FILE);
	});

	test("finds the file of an extension, and the numbers of all", async () => {
		const extension = {
			containingType: "google.protobuf.MethodOptions",
			extensionNumber: 50_001,
		};
		const files = await filesFor(version, {
			fileContainingExtension: extension,
		});
		expect(files[0]?.name).toBe("airtower/common/v1/access.proto");
		const [response] = await ask(version, {
			allExtensionNumbersOfType: "google.protobuf.MethodOptions",
		});
		expect(response?.allExtensionNumbersResponse).toMatchObject({
			extensionNumber: [50_001, 50_002],
		});
	});

	test("refuses unknown names as not found and goes on", async () => {
		const responses = await ask(
			version,
			{ fileByFilename: "no/such.proto" },
			{ fileContainingSymbol: "no.Such" },
			{ allExtensionNumbersOfType: "no.Such" },
			{ listServices: "" },
		);
		expect(responses).toHaveLength(4);
		for (const response of responses.slice(0, 3))
			expect(response.errorResponse).toMatchObject({ errorCode: NOT_FOUND });
		expect(responses[3]).toHaveProperty("listServicesResponse");
	});
});

test("the access rule of a method survives reflection", async () => {
	const [file] = await filesFor("v1", { fileByFilename: WEBHOOKS_FILE });
	const options = file?.service[0]?.method[0]?.options;
	expect(options?.$unknown?.map(({ no }) => no)).toEqual([50_001]);
});

test("an open reflection stream does not hold up a closing server", async () => {
	const other = await startTestServer();
	const client = stockGrpc(other.port);
	const stream = client.bidiStream(
		"grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
	);
	const ended = new Promise((resolve) => stream.on("end", resolve));
	stream.write({ listServices: "" });
	await new Promise((resolve) => stream.once("data", resolve));
	await other.close();
	await ended;
	client.close();
});

test("where reflection is not open it takes a token of anybody who is trusted", async () => {
	const other = await startTestServer({ openReflection: false });
	onTestFinished(() => other.close());
	const client = stockGrpc(other.port);
	onTestFinished(() => client.close());
	const list = async (token?: string) => {
		const stream = client.bidiStream(
			"grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
			{ ...(token !== undefined && { token }) },
		);
		stream.end({ listServices: "" });
		const [response] = await once(stream, "data");
		return response;
	};
	await expect(list()).rejects.toMatchObject({ code: 16 });
	expect(await list(await mintTestToken())).toHaveProperty(
		"listServicesResponse",
	);
});
