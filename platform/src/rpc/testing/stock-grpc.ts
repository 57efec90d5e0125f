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
		unary(name, request, options = {}) {
			const { path, requestSerialize, responseDeserialize } = methodOf(name);
			const headers = Promise.withResolvers<Metadata>();
			return new Promise((resolve, reject) => {
				client
					.makeUnaryRequest(
						path,
						requestSerialize,
						responseDeserialize,
						request,
						metadataOf(options),
						deadlineOf(options),
						(error, response) => {
							if (error !== null) reject(error);
							else
								headers.promise.then(
									(headers) => resolve({ response: response ?? {}, headers }),
									reject,
								);
						},
					)
					.on("metadata", headers.resolve);
			});
		},
		serverStream(name, request) {
			const { path, requestSerialize, responseDeserialize } = methodOf(name);
			return client.makeServerStreamRequest(
				path,
				requestSerialize,
				responseDeserialize,
				request,
			);
		},
		bidiStream(name) {
			const { path, requestSerialize, responseDeserialize } = methodOf(name);
			return client.makeBidiStreamRequest(
				path,
				requestSerialize,
				responseDeserialize,
			);
		},
		close: () => client.close(),
	};
}

function methodOf(
	name: string,
): Pick<Method, "path" | "requestSerialize" | "responseDeserialize"> {
	const [service = "", method = ""] = name.split("/");
	const definition = definitions[service] as Record<string, Method> | undefined;
	return definition?.[method] ?? emptyMethod(name);
}

/** A method that is in no .proto is called with an empty message. */
function emptyMethod(name: string) {
	return {
		path: `/${name}`,
		requestSerialize: () => Buffer.alloc(0),
		responseDeserialize: () => ({}),
	};
}

function metadataOf({ token, headers = {} }: StockCallOptions): Metadata {
	const metadata = new Metadata();
	if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
	for (const [name, value] of Object.entries(headers))
		metadata.set(name, value);
	return metadata;
}

function deadlineOf({ deadlineMs }: StockCallOptions) {
	return deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
}
