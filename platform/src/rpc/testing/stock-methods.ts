import { fileURLToPath } from "node:url";
import type { MethodDefinition } from "@grpc/grpc-js";
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

type MethodArguments = [
	path: string,
	serialize: Method["requestSerialize"],
	deserialize: Method["responseDeserialize"],
];

/** A method that is in no .proto is called with an empty message. */
export function methodArguments(name: string): MethodArguments {
	const [service = "", method = ""] = name.split("/");
	const found = (definitions[service] as Record<string, Method> | undefined)?.[
		method
	];
	if (found === undefined)
		return [`/${name}`, () => Buffer.alloc(0), () => ({})];
	return [found.path, found.requestSerialize, found.responseDeserialize];
}
