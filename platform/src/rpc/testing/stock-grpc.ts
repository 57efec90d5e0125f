import {
	Client,
	type ClientDuplexStream,
	type ClientOptions,
	type ClientReadableStream,
	credentials,
	Metadata,
} from "@grpc/grpc-js";
import { type Message, methodArguments } from "./stock-methods.ts";

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
	bidiStream(
		method: string,
		options?: StockCallOptions,
	): ClientDuplexStream<Message, Message>;
	close(): void;
}

export function stockGrpc(
	port: number,
	options: ClientOptions = {},
): StockGrpc {
	const insecure = credentials.createInsecure();
	const client = new Client(`127.0.0.1:${port}`, insecure, options);
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
		bidiStream: (name, options = {}) =>
			client.makeBidiStreamRequest(
				...methodArguments(name),
				toMetadata(options),
			),
		close: () => client.close(),
	};
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
