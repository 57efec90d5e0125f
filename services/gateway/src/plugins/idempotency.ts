import { createHash } from "node:crypto";
import type { FastifyReply, preHandlerHookHandler } from "fastify";
import { routePath } from "../domain/route-path.ts";
import { sendRefusal } from "./errors.ts";

/** A client's key with the fingerprint of its request, as services take it. */
interface IdempotencyClaim {
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
 * Reads Idempotency-Key on a POST route, after the body was validated. A key on another path is another key: where a
 * service has several paths, the path goes with it.
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

const KEY = /^[A-Za-z0-9._:-]{1,255}$/;

export function isIdempotencyKey(text: string): boolean {
	return KEY.test(text);
}

/** SHA-256 over method, route and canonical body: the same whatever the order of fields and the spaces between. */
export function requestFingerprint(
	method: string,
	route: string,
	body: unknown,
): Buffer {
	return createHash("sha256")
		.update(`${method} ${route}\n`)
		.update(canonicalJson(body))
		.digest();
}

/** JSON with the keys of every object sorted by UTF-16 unit; fields that are undefined are left out. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const fields = Object.entries(value)
		.filter(([, field]) => field !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
	return `{${fields.join(",")}}`;
}
