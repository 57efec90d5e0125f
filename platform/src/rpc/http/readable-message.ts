import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

/** Trailers are complete only when the body has been written, so they are read then. */
export function withReadableMessage(
	response: UniversalServerResponse,
): UniversalServerResponse {
	const { trailer } = response;
	if (trailer === undefined) return response;
	return {
		...response,
		get trailer() {
			const message = trailer.get("grpc-message");
			if (message !== null)
				trailer.set("grpc-message", percentEncode(decodeURIComponent(message)));
			return trailer;
		},
	};
}

/** grpc-js decodes only as far as decodeURI does and would show "%3A" for a colon. */
function percentEncode(message: string): string {
	return message.replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);
}
