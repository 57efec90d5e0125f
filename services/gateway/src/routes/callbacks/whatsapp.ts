import type { Context } from "../../context.ts";
import { publicAccess } from "../../domain/access.ts";
import type { App } from "../routes.ts";
import { admitCallbacks } from "./admit-callbacks.ts";

/** Largest callback that the provider sends, bytes. */
const BODY_LIMIT_BYTES = 3 * 1_048_576;

interface Handshake {
	readonly "hub.mode"?: string;
	readonly "hub.verify_token"?: string;
	readonly "hub.challenge"?: string;
}

/** What the provider calls. The body goes on as the bytes it came in, which the signature is over. */
export function whatsappCallbackRoutes(app: App, ctx: Context): void {
	const { clients } = ctx;
	const { bodyOf, countForgery } = admitCallbacks(app, ctx, BODY_LIMIT_BYTES);

	app.route<{ Querystring: Handshake }>({
		method: "GET",
		url: "/callbacks/whatsapp",
		config: { access: publicAccess },
		schema: { hide: true },
		handler: async (request, reply) => {
			const { query } = request;
			const { challenge } = await countForgery(
				request,
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
			await countForgery(
				request,
				clients.whatsapp.receiveCallback({
					body: bodyOf(request),
					signature: textFrom(request.headers["x-hub-signature-256"]),
				}),
			);
			return { success: true };
		},
	});
}

function textFrom(value: unknown): string {
	return typeof value === "string" ? value : "";
}
