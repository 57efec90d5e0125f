import { withRequestId } from "@airtower/platform/runtime/request-context";
import type { FastifyPluginAsync } from "fastify";
import type { Context } from "../../context.ts";
import { publicAccess } from "../../domain/access.ts";

/** Largest callback that the provider sends, bytes. */
const BODY_LIMIT_BYTES = 3 * 1_048_576;

interface Handshake {
	readonly "hub.mode"?: string;
	readonly "hub.verify_token"?: string;
	readonly "hub.challenge"?: string;
}

/**
 * GET and POST /callbacks/whatsapp: what the provider calls. The body goes on as the bytes it came in,
 * which the signature is over; it is verified and stored by its service before the 200.
 */
export function whatsappCallbackRoutes(ctx: Context): FastifyPluginAsync {
	const { whatsapp } = ctx.clients;
	return async (app) => {
		app.removeAllContentTypeParsers();
		app.addContentTypeParser(
			"*",
			{ parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
			(_request, body, done) => done(null, body),
		);

		app.route<{ Querystring: Handshake }>({
			method: "GET",
			url: "/callbacks/whatsapp",
			config: { access: publicAccess },
			schema: { hide: true },
			handler: async (request, reply) => {
				const { query } = request;
				const { challenge } = await withRequestId(request.id, () =>
					whatsapp.verifySubscription({
						mode: textOf(query["hub.mode"]),
						verifyToken: textOf(query["hub.verify_token"]),
						challenge: textOf(query["hub.challenge"]),
					}),
				);
				reply.type("text/plain").serializer(String);
				return challenge;
			},
		});

		app.route({
			method: "POST",
			url: "/callbacks/whatsapp",
			bodyLimit: BODY_LIMIT_BYTES,
			config: { access: publicAccess },
			schema: { hide: true },
			handler: async (request) => {
				const body = Buffer.isBuffer(request.body)
					? request.body
					: Buffer.alloc(0);
				const signature = textOf(request.headers["x-hub-signature-256"]);
				await withRequestId(request.id, () =>
					whatsapp.receiveCallback({ body, signature }),
				);
				return { success: true };
			},
		});
	};
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
