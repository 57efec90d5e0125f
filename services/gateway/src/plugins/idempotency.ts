import type { FastifyReply, preHandlerHookHandler } from "fastify";
import { isIdempotencyKey, requestFingerprint } from "../domain/fingerprint.ts";
import { routePath } from "../domain/route-path.ts";
import { sendRefusal } from "./errors.ts";

/** A client's key with the fingerprint of its request, as services take it. */
export interface IdempotencyClaim {
	readonly key: string;
	readonly scope: string;
	readonly fingerprint: Uint8Array;
}

declare module "fastify" {
	interface FastifyRequest {
		/** The client's key as a field of RPC requests; undefined when it gave none. */
		idempotent: { readonly idempotency: IdempotencyClaim } | undefined;
	}
}

/**
 * Reads Idempotency-Key on a POST route, after the body was validated. A key on another path is another key: where a service
 * has several paths, the path goes with it.
 * @param isOnlyPath true for the sends, whose services take keys of one path alone
 */
export function readIdempotencyKey(
	url: string,
	isOnlyPath: boolean,
): preHandlerHookHandler {
	return (request, reply, done) => {
		const key = request.headers["idempotency-key"];
		if (key === undefined) return done();
		if (typeof key !== "string" || !isIdempotencyKey(key))
			return sendRefusal(reply, { code: "invalid_idempotency_key" });
		const path = routePath(url, request.params);
		const fingerprint = requestFingerprint("POST", path, request.body);
		const scope = isOnlyPath ? "" : path;
		request.idempotent = { idempotency: { key, scope, fingerprint } };
		done();
	};
}

export function markReplay(
	reply: Pick<FastifyReply, "header">,
	replayed: boolean,
): void {
	if (replayed) reply.header("idempotent-replayed", "true");
}
