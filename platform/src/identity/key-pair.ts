import { generateKeyPairSync } from "node:crypto";
import { uuidv7 } from "../runtime/ids.ts";
import {
	type PrivateJwk,
	parse,
	privateJwk,
	type TrustedJwk,
	trustedJwk,
} from "./jwk.ts";

export interface KeyPair {
	readonly privateKey: PrivateJwk;
	readonly trustedKey: TrustedJwk;
}

/**
 * Makes a key pair under a new identifier.
 * @param issuer a service's name, "admin", or "team:<name>" with the organizations that it acts for
 * @throws Error for another issuer, or organizations that do not go with it
 */
export function createKeyPair(
	issuer: string,
	organizations?: readonly string[],
): KeyPair {
	const { kty, crv, x, d } = generateKeyPairSync("ed25519").privateKey.export({
		format: "jwk",
	});
	const common = { kty, crv, x, kid: uuidv7(), iss: issuer };
	return {
		privateKey: parse(privateJwk, { ...common, d }),
		trustedKey: parse(trustedJwk, {
			...common,
			...(organizations && { organizations }),
		}),
	};
}
