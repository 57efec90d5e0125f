import type { IncomingMessage } from "node:http";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { RefusalError } from "../../errors.ts";
import type { CallbackSlot } from "../../limiting/callback-limiter.ts";
import type { App } from "../routes.ts";
import { readBody } from "./read-body.ts";

/** Longest wait for a body; those of providers come at once, ms. */
const BODY_TIMEOUT_MS = 5_000;
/** What only somebody else than the provider is refused for. */
const FORGED: ReadonlySet<string | undefined> = new Set([
	"invalid_callback_signature",
	"invalid_verify_token",
	"unknown_route",
]);
const OVERLOADED = {
	code: "rate_limited",
	message: "Too many callbacks of this address are under way; send it again.",
	retryAfterS: 1,
} as const;

/** Bounds what callbacks take, which anybody can send; each has a slot until its response is over. */
interface AdmittedCallbacks {
	/** The bytes that came, which a signature is over; none for a request without a body. */
	bodyOf(request: FastifyRequest): Buffer;
	/** Counts a refusal that only forged callbacks get. */
	countForgery<T>(request: FastifyRequest, call: Promise<T>): Promise<T>;
}

/** For all routes of the scope. */
export function admitCallbacks(
	app: App,
	{ callbacks }: Context,
	maxBodyBytes: number,
): AdmittedCallbacks {
	const slots = new WeakMap<FastifyRequest, CallbackSlot>();
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		"*",
		(request: FastifyRequest, payload: IncomingMessage) =>
			readCallback(payload, maxBodyBytes, slots.get(request)),
	);
	app.addHook("preParsing", (request, reply, _payload, done) => {
		const slot = callbacks.admit(request.ip);
		if (slot === undefined) return done(new RefusalError(OVERLOADED));
		slots.set(request, slot);
		reply.raw.once("close", slot.release);
		done();
	});
	app.addHook("preHandler", (request, _reply, done) => {
		const isTaken = slots.get(request)?.takeCall();
		done(isTaken ? undefined : new RefusalError(OVERLOADED));
	});
	return {
		bodyOf: ({ body }) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0)),
		countForgery: async (request, call) => {
			try {
				return await call;
			} catch (error) {
				if (FORGED.has(domainErrorFrom(error)?.reason))
					slots.get(request)?.recordForgery();
				throw error;
			}
		},
	};
}

/** Room is taken for bytes that came in, never for announced ones, which cost their sender nothing. */
async function readCallback(
	payload: IncomingMessage,
	maxBytes: number,
	slot: CallbackSlot | undefined,
): Promise<Buffer> {
	if (Number(payload.headers["content-length"]) > maxBytes)
		throw new RefusalError({ code: "body_too_large" });
	return readBody(payload, {
		maxBytes,
		timeoutMs: BODY_TIMEOUT_MS,
		takeRoom: (bytes) => {
			if (!slot?.takeBytes(bytes)) throw new RefusalError(OVERLOADED);
		},
		onUnfinished: () => slot?.recordForgery(),
	});
}
