import type { FastifyReply, preHandlerHookHandler } from "fastify";
import { isIdempotencyKey, requestFingerprint } from "../domain/fingerprint.ts";
import { routePath } from "../domain/route-path.ts";
import { sendRefusal } from "./errors.ts";

/** A client's key with the fingerprint of its request, as services take it. */
export interface IdempotencyClaim {
	readonly key: string;
	readonly fingerprint: Uint8Array;
}

declare module "fastify" {
	interface FastifyRequest {
		/** The client's key as a field of RPC requests; undefined when it gave none. */
		idempotent: { readonly idempotency: IdempotencyClaim } | undefined;
	}
}

/** Reads Idempotency-Key on a POST route, after the body was validated. */
export function readIdempotencyKey(url: string): preHandlerHookHandler {
	return (request, reply, done) => {
		const key = request.headers["idempotency-key"];
		if (key === undefined) return done();
		if (typeof key !== "string" || !isIdempotencyKey(key))
			return sendRefusal(reply, { code: "invalid_idempotency_key" });
		const path = routePath(url, request.params);
		const fingerprint = requestFingerprint("POST", path, request.body);
		request.idempotent = { idempotency: { key, fingerprint } };
		done();
	};
}

export function markReplay(
	reply: Pick<FastifyReply, "header">,
	replayed: boolean,
): void {
	if (replayed) reply.header("idempotent-replayed", "true");
}
