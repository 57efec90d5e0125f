import type { IncomingMessage } from "node:http";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { publicAccess } from "../../domain/access.ts";
import { RefusalError } from "../../errors.ts";
import type { CallbackSlot } from "../../limiting/callback-limiter.ts";
import type { App } from "../routes.ts";
import { readBody } from "./read-body.ts";

/** Largest callback that the provider sends, bytes. */
const BODY_LIMIT_BYTES = 3 * 1_048_576;
/** Longest wait for a body; the provider's come at once, ms. */
const BODY_TIMEOUT_MS = 5_000;
const FORGED: ReadonlySet<string | undefined> = new Set([
	"invalid_callback_signature",
	"invalid_verify_token",
]);
const OVERLOADED = {
	code: "rate_limited",
	message: "Too many callbacks of this address are under way; send it again.",
	retryAfterS: 1,
} as const;

interface Handshake {
	readonly "hub.mode"?: string;
	readonly "hub.verify_token"?: string;
	readonly "hub.challenge"?: string;
}

/** What the provider calls. The body goes on as the bytes it came in, which the signature is over. */
export function whatsappCallbackRoutes(app: App, ctx: Context): void {
	const { clients } = ctx;
	const slots = admitCallbacks(app, ctx);
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		"*",
		(request: FastifyRequest, payload: IncomingMessage) =>
			readCallback(payload, slots.get(request)),
	);

	app.route<{ Querystring: Handshake }>({
		method: "GET",
		url: "/callbacks/whatsapp",
		config: { access: publicAccess },
		schema: { hide: true },
		handler: async (request, reply) => {
			const { query } = request;
			const { challenge } = await countForgery(
				slots.get(request),
				clients.whatsapp.verifySubscription({
					mode: textFrom(query["hub.mode"]),
					verifyToken: textFrom(query["hub.verify_token"]),
					challenge: textFrom(query["hub.challenge"]),
				}),
			);
			reply.type("text/plain; charset=utf-8").serializer(String);
			return challenge;
		},
	});

	app.route({
		method: "POST",
		url: "/callbacks/whatsapp",
		config: { access: publicAccess },
		schema: { hide: true },
		handler: async (request) => {
			const { body, headers } = request;
			await countForgery(
				slots.get(request),
				clients.whatsapp.receiveCallback({
					body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
					signature: textFrom(headers["x-hub-signature-256"]),
				}),
			);
			return { success: true };
		},
	});
}

/** Gives each request a slot before its body is read, and a call after; both are free once its response is over. */
function admitCallbacks(
	app: App,
	{ callbacks }: Context,
): WeakMap<FastifyRequest, CallbackSlot> {
	const slots = new WeakMap<FastifyRequest, CallbackSlot>();
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
	return slots;
}

/** Room is taken for bytes that came in, never for announced ones, which cost their sender nothing. */
async function readCallback(
	payload: IncomingMessage,
	slot: CallbackSlot | undefined,
): Promise<Buffer> {
	if (Number(payload.headers["content-length"]) > BODY_LIMIT_BYTES)
		throw new RefusalError({ code: "body_too_large" });
	return readBody(payload, {
		maxBytes: BODY_LIMIT_BYTES,
		timeoutMs: BODY_TIMEOUT_MS,
		takeRoom: (bytes) => {
			if (!slot?.takeBytes(bytes)) throw new RefusalError(OVERLOADED);
		},
		onUnfinished: () => slot?.recordForgery(),
	});
}

async function countForgery<T>(
	slot: CallbackSlot | undefined,
	call: Promise<T>,
): Promise<T> {
	try {
		return await call;
	} catch (error) {
		if (FORGED.has(domainErrorFrom(error)?.reason)) slot?.recordForgery();
		throw error;
	}
}

function textFrom(value: unknown): string {
	return typeof value === "string" ? value : "";
}
