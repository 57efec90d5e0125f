import type { Context } from "../../context.ts";
import { publicAccess } from "../../domain/access.ts";
import type { App } from "../routes.ts";

/** Largest callback that the provider sends, bytes. */
const BODY_LIMIT_BYTES = 3 * 1_048_576;

interface Handshake {
	readonly "hub.mode"?: string;
	readonly "hub.verify_token"?: string;
	readonly "hub.challenge"?: string;
}

/** What the provider calls. The body goes on as the bytes it came in, which the signature is over. */
export function whatsappCallbackRoutes(app: App, { clients }: Context): void {
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
		handler: async ({ query }, reply) => {
			const { challenge } = await clients.whatsapp.verifySubscription({
				mode: textFrom(query["hub.mode"]),
				verifyToken: textFrom(query["hub.verify_token"]),
				challenge: textFrom(query["hub.challenge"]),
			});
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
		handler: async ({ body, headers }) => {
			await clients.whatsapp.receiveCallback({
				body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
				signature: textFrom(headers["x-hub-signature-256"]),
			});
			return { success: true };
		},
	});
}

function textFrom(value: unknown): string {
	return typeof value === "string" ? value : "";
}
