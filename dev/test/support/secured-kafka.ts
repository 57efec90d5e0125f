import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Secured {
	readonly port: number;
	readonly secure: number;
	readonly controller: number;
	readonly cert: string;
	readonly key: string;
}

/** A second listener beside the plain one by which the broker is started and stopped. */
export function secured({ port, secure, controller, cert, key }: Secured) {
	const pem = (text: string) => text.trim().replaceAll("\n", "\\n");
	return {
		listeners: `PLAINTEXT://127.0.0.1:${port},SECURED://127.0.0.1:${secure},CONTROLLER://127.0.0.1:${controller}`,
		"advertised.listeners": `PLAINTEXT://127.0.0.1:${port},SECURED://127.0.0.1:${secure}`,
		"controller.quorum.voters": `1@127.0.0.1:${controller}`,
		"listener.security.protocol.map":
			"CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURED:SASL_SSL",
		"sasl.enabled.mechanisms": "SCRAM-SHA-512,OAUTHBEARER",
		// Without a validator of its own the broker takes unsigned tokens, but not those that are over.
		"listener.name.secured.oauthbearer.sasl.jaas.config":
			'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
		// Clients renew a session from 10 s before its end on.
		"listener.name.secured.oauthbearer.connections.max.reauth.ms": "12000",
		"listener.name.secured.scram-sha-512.sasl.jaas.config":
			"org.apache.kafka.common.security.scram.ScramLoginModule required;",
		"ssl.keystore.type": "PEM",
		"ssl.keystore.certificate.chain": pem(cert),
		"ssl.keystore.key": pem(key),
	};
}

/** An unsigned JSON web token (RFC 7519, 6) that ends so many seconds from now. */
export function tokenOf(subject: string, endsInS: number): string {
	const now = Math.floor(Date.now() / 1_000);
	const claims = { sub: subject, iat: now - 7_200, exp: now + endsInS };
	const parts = [{ alg: "none" }, claims].map((part) =>
		Buffer.from(JSON.stringify(part)).toString("base64url"),
	);
	return `${parts.join(".")}.`;
}

/** @returns its requests, and what it responds with; those are counted that get no token */
export async function startTokenServer(token: string) {
	const asked: unknown[] = [];
	const state = { status: 200, refused: 0 };
	const server = createServer(async (request, response) => {
		asked.push([request.headers.authorization, await text(request)]);
		response.statusCode = state.status;
		if (state.status !== 200) state.refused++;
		response.end(JSON.stringify({ access_token: token, expires_in: 3_600 }));
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/token`, asked, state };
}
