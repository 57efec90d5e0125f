import { errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { KeyRing } from "../runtime/key-ring.ts";
import { type Caller, TOKEN_ALGORITHM } from "./caller-token.ts";

/** A caller token was refused; the message is safe for the caller and never holds the token. */
export class InvalidCallerToken extends Error {
	override readonly name = "InvalidCallerToken";
}

/** Audience of a token that every service accepts. */
const EVERY_SERVICE = "*";
/** How far two clocks may differ, seconds. */
const CLOCK_TOLERANCE_S = 5;
/** Longest token that is looked at, characters. */
const MAX_TOKEN_LENGTH = 2_048;
/** Tokens that a verifier remembers. */
const MAX_CACHED_TOKENS = 1_000;

export interface TokenVerifierOptions {
	readonly ring: KeyRing;
	/** Name of the service that verifies. */
	readonly audience: string;
	readonly clock?: Clock;
}

/** Verifies a caller token; throws {@link InvalidCallerToken}. */
export type TokenVerifier = (token: string) => Promise<Caller>;

/** Accepts tokens signed by any key of the ring for this audience or for every service. */
export function createTokenVerifier(
	options: TokenVerifierOptions,
): TokenVerifier {
	const { ring, audience, clock = systemClock } = options;
	const verified = new LRUCache<string, { caller: Caller; expiresAt: number }>({
		max: MAX_CACHED_TOKENS,
	});

	async function verify(token: string): Promise<Caller> {
		const { payload } = await jwtVerify(
			token,
			(header) => findKey(ring, header.kid),
			{
				algorithms: [TOKEN_ALGORITHM],
				audience: [audience, EVERY_SERVICE],
				requiredClaims: ["iss", "aud", "exp", "iat", "org", "role"],
				clockTolerance: CLOCK_TOLERANCE_S,
				currentDate: clock(),
			},
		);
		const caller = callerFrom(payload);
		const expiresAt = ((payload.exp ?? 0) + CLOCK_TOLERANCE_S) * 1_000;
		verified.set(token, { caller, expiresAt });
		return caller;
	}

	return async (token) => {
		if (token.length > MAX_TOKEN_LENGTH)
			throw new InvalidCallerToken("The caller token is too long.");
		const known = verified.get(token);
		if (known !== undefined && clock().getTime() < known.expiresAt)
			return known.caller;
		return verify(token).catch((error: unknown) => {
			throw toRefusal(error);
		});
	};
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
