import { ServerReflection } from "@airtower/proto/grpc/reflection/v1/reflection";
import { ServerReflection as ServerReflectionAlpha } from "@airtower/proto/grpc/reflection/v1alpha/reflection";
import type { DescService } from "@bufbuild/protobuf";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import { type DescriptorIndex, indexDescriptors } from "./descriptor-index.ts";

type Question =
	| { case: "fileByFilename"; value: string }
	| { case: "fileContainingSymbol"; value: string }
	| {
			case: "fileContainingExtension";
			value: { containingType: string; extensionNumber: number };
	  }
	| { case: "allExtensionNumbersOfType"; value: string }
	| { case: "listServices"; value: string }
	| { case: undefined; value?: undefined };

/** v1, and the v1alpha that older tools ask for. */
export function routeReflection(
	router: ConnectRouter,
	services: readonly DescService[],
	closing: AbortSignal,
): void {
	const index = indexDescriptors(services);
	async function* respond<
		R extends { readonly host: string; readonly messageRequest: Question },
	>(requests: AsyncIterable<R>) {
		for await (const request of until(closing, requests))
			yield {
				validHost: request.host,
				originalRequest: request,
				messageResponse: find(index, request.messageRequest),
			};
	}
	router.service(ServerReflection, { serverReflectionInfo: respond });
	router.service(ServerReflectionAlpha, { serverReflectionInfo: respond });
}

function find(index: DescriptorIndex, question: Question) {
	switch (question.case) {
		case "listServices": {
			const service = index.services.map((name) => ({ name }));
			return { case: "listServicesResponse", value: { service } } as const;
		}
		case "fileByFilename":
			return toFiles(index.fileNamed(question.value));
		case "fileContainingSymbol":
			return toFiles(index.fileDeclaring(question.value));
		case "fileContainingExtension": {
			const { containingType, extensionNumber } = question.value;
			return toFiles(index.fileExtending(containingType, extensionNumber));
		}
		case "allExtensionNumbersOfType":
			return toNumbers(question.value, index.extensionsOf(question.value));
		default:
			return failure(Code.InvalidArgument, "the request asks nothing");
	}
}

function toFiles(files: Uint8Array[] | undefined) {
	if (files === undefined) return failure(Code.NotFound, "not found");
	return {
		case: "fileDescriptorResponse",
		value: { fileDescriptorProto: files },
	} as const;
}

function toNumbers(baseTypeName: string, numbers: number[] | undefined) {
	if (numbers === undefined) return failure(Code.NotFound, "not found");
	return {
		case: "allExtensionNumbersResponse",
		value: { baseTypeName, extensionNumber: numbers },
	} as const;
}

function failure(errorCode: Code, errorMessage: string) {
	return { case: "errorResponse", value: { errorCode, errorMessage } } as const;
}

/** Passes items on until the signal is aborted, also while waiting for the next one. */
async function* until<T>(
	signal: AbortSignal,
	items: AsyncIterable<T>,
): AsyncGenerator<T> {
	const stop = Promise.withResolvers<{ done: true; value: undefined }>();
	const onAbort = () => stop.resolve({ done: true, value: undefined });
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) onAbort();
	const iterator = items[Symbol.asyncIterator]();
	try {
		for (;;) {
			const next = await Promise.race([iterator.next(), stop.promise]);
			if (next.done === true) return;
			yield next.value;
		}
	} finally {
		signal.removeEventListener("abort", onAbort);
	}
}
