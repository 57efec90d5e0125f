import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { KeyRing } from "../runtime/key-ring.ts";
import { type Caller, TOKEN_ALGORITHM } from "./caller-token.ts";

/** Its message is safe for the caller and never holds the token. */
export class InvalidCallerToken extends Error {
	override readonly name = "InvalidCallerToken";
}

/** Longest life of a token from its `iat` on, whatever its `exp`, s. */
const MAX_AGE_S = 600;
const EVERY_SERVICE = "*";
/** How far two clocks may differ, s. */
const CLOCK_TOLERANCE_S = 5;
const MAX_TOKEN_LENGTH = 2_048;
const MAX_CACHED_TOKENS = 1_000;

export interface TokenVerifierOptions {
	readonly ring: KeyRing;
	readonly audience: string;
	readonly clock?: Clock;
}

export type TokenVerifier = (token: string) => Promise<Caller>;

export function createTokenVerifier(
	options: TokenVerifierOptions,
): TokenVerifier {
	const { ring, audience, clock = systemClock } = options;
	const verified = new LRUCache<string, { caller: Caller; expiresAt: number }>({
		max: MAX_CACHED_TOKENS,
	});

	return async (token) => {
		if (token.length > MAX_TOKEN_LENGTH)
			throw new InvalidCallerToken("The caller token is too long.");
		const known = verified.get(token);
		if (known !== undefined && clock().getTime() < known.expiresAt)
			return known.caller;
		const payload = await verifySigned(token, { ring, audience, clock });
		const caller = callerFrom(payload);
		const { exp = 0, iat = 0 } = payload;
		const endS = Math.min(exp, iat + MAX_AGE_S) + CLOCK_TOLERANCE_S;
		verified.set(token, { caller, expiresAt: endS * 1_000 });
		return caller;
	};
}

async function verifySigned(
	token: string,
	{ ring, audience, clock }: Required<TokenVerifierOptions>,
): Promise<JWTPayload> {
	const key: JWTVerifyGetKey = ({ kid }) => findKey(ring, kid);
	try {
		const { payload } = await jwtVerify(token, key, {
			algorithms: [TOKEN_ALGORITHM],
			audience: [audience, EVERY_SERVICE],
			requiredClaims: ["iss", "aud", "exp", "iat", "org", "role"],
			maxTokenAge: MAX_AGE_S,
			clockTolerance: CLOCK_TOLERANCE_S,
			currentDate: clock(),
		});
		return payload;
	} catch (error) {
		throw toRefusal(error);
	}
}

function findKey(ring: KeyRing, id: string | undefined): Uint8Array {
	const secret = id === undefined ? undefined : ring.all.get(id);
	if (secret === undefined)
		throw new InvalidCallerToken("The caller token names no known key.");
	return secret;
}

function callerFrom({ iss, org, role }: JWTPayload): Caller {
	const wellFormed =
		typeof iss === "string" &&
		iss !== "" &&
		typeof org === "string" &&
		org !== "" &&
		(role === "service" || role === "admin");
	if (!wellFormed)
		throw new InvalidCallerToken("The caller token's claims are malformed.");
	return { issuer: iss, organization: org, role };
}

function toRefusal(error: unknown): InvalidCallerToken {
	if (error instanceof InvalidCallerToken) return error;
	if (error instanceof errors.JWTExpired)
		return new InvalidCallerToken("The caller token has expired.");
	if (error instanceof errors.JWTClaimValidationFailed)
		return new InvalidCallerToken(
			`The caller token's claim "${error.claim}" is not accepted here.`,
		);
	return new InvalidCallerToken("The caller token is not valid.");
}
