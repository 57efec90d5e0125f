import { fileURLToPath } from "node:url";
import {
	Client,
	type ClientDuplexStream,
	type ClientReadableStream,
	credentials,
	Metadata,
	type MethodDefinition,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const PROTO_DIR = fileURLToPath(new URL("../../../../proto", import.meta.url));

/** A message as grpc-js shows it: field names in camel case, enums as words. */
export type Message = Record<string, unknown>;
type Method = MethodDefinition<Message, Message>;

const definitions = loadSync(
	[
		"airtower/webhooks/v1/webhooks.proto",
		"airtower/webhooks/v1/admin.proto",
		"grpc/health/v1/health.proto",
		"grpc/reflection/v1/reflection.proto",
		"grpc/reflection/v1alpha/reflection.proto",
	],
	{ includeDirs: [PROTO_DIR], enums: String, longs: Number, oneofs: true },
);

export interface StockCallOptions {
	readonly token?: string;
	readonly headers?: Record<string, string>;
	readonly deadlineMs?: number;
}

export interface StockGrpc {
	/** Calls "package.Service/Method"; throws grpc-js's ServiceError. */
	unary(
		method: string,
		request: Message,
		options?: StockCallOptions,
	): Promise<{ response: Message; headers: Metadata }>;
	serverStream(method: string, request: Message): ClientReadableStream<Message>;
	bidiStream(method: string): ClientDuplexStream<Message, Message>;
	close(): void;
}

/** A stock gRPC client that knows nothing but the .proto files. */
export function stockGrpc(port: number): StockGrpc {
	const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
	return {
		async unary(name, request, options = {}) {
			const headers = Promise.withResolvers<Metadata>();
			const response = Promise.withResolvers<Message>();
			client
				.makeUnaryRequest(
					...methodArguments(name),
					request,
					toMetadata(options),
					toCallOptions(options),
					(error, message) => {
						if (error !== null) response.reject(error);
						else response.resolve(message ?? {});
					},
				)
				.on("metadata", headers.resolve);
			return {
				response: await response.promise,
				headers: await headers.promise,
			};
		},
		serverStream: (name, request) =>
			client.makeServerStreamRequest(...methodArguments(name), request),
		bidiStream: (name) =>
			client.makeBidiStreamRequest(...methodArguments(name)),
		close: () => client.close(),
	};
}

type MethodArguments = [
	path: string,
	serialize: Method["requestSerialize"],
	deserialize: Method["responseDeserialize"],
];

/** A method that is in no .proto is called with an empty message. */
function methodArguments(name: string): MethodArguments {
	const [service = "", method = ""] = name.split("/");
	const found = (definitions[service] as Record<string, Method> | undefined)?.[
		method
	];
	if (found === undefined)
		return [`/${name}`, () => Buffer.alloc(0), () => ({})];
	return [found.path, found.requestSerialize, found.responseDeserialize];
}

function toMetadata({ token, headers = {} }: StockCallOptions): Metadata {
	const metadata = new Metadata();
	if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
	for (const [name, value] of Object.entries(headers))
		metadata.set(name, value);
	return metadata;
}

function toCallOptions({ deadlineMs }: StockCallOptions) {
	return deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
}
