import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { KeyRing } from "../runtime/key-ring.ts";

/** What a service token may do; "admin" adds the operator's methods. */
export type CallerRole = "service" | "admin";

/** Who calls, as a verified caller token says. */
export interface Caller {
	readonly issuer: string;
	/** The only organization the caller may act for; "*" for every one. */
	readonly organization: string | "*";
	readonly role: CallerRole;
}

/** A caller token was refused; the message is safe for the caller and never holds the token. */
export class InvalidCallerToken extends Error {
	override readonly name = "InvalidCallerToken";
}

const ALGORITHM = "HS256";
/** Audience of a token that every service accepts. */
const EVERY_SERVICE = "*";
/** Life of a signer's tokens, seconds. */
const LIFETIME_S = 60;
/** A cached token is replaced when less than this is left, milliseconds. */
const RENEW_BEFORE_EXPIRY_MS = 20_000;
/** How far two clocks may differ, seconds. */
const CLOCK_TOLERANCE_S = 5;
/** Longest token that is looked at, characters. */
const MAX_TOKEN_LENGTH = 2_048;
/** Tokens a signer or a verifier remembers. */
const MAX_CACHED_TOKENS = 1_000;

export interface TokenSigner {
	/** A token for one audience and organization, valid for 20 s or more. */
	tokenFor(audience: string, organization: string | "*"): Promise<string>;
}

export interface TokenSignerOptions {
	readonly ring: KeyRing;
	readonly issuer: string;
	readonly role?: CallerRole;
	readonly clock?: Clock;
}

/** Signs the short-lived tokens that a service shows to the others. */
export function createTokenSigner(options: TokenSignerOptions): TokenSigner {
	const { ring, issuer, role = "service", clock = systemClock } = options;
	const cache = new Map<string, { token: string; renewAt: number }>();
	return {
		async tokenFor(audience, organization) {
			const key = `${audience} ${organization}`;
			const now = clock().getTime();
			const cached = cache.get(key);
			if (cached !== undefined && now < cached.renewAt) return cached.token;
			const token = await mintToken({
				ring,
				issuer,
				audience,
				organization,
				role,
				lifetimeSeconds: LIFETIME_S,
				clock,
			});
			const renewAt = now + LIFETIME_S * 1_000 - RENEW_BEFORE_EXPIRY_MS;
			remember(cache, key, { token, renewAt });
			return token;
		},
	};
}

export interface TokenClaims {
	readonly ring: KeyRing;
	readonly issuer: string;
	/** Name of the service that accepts the token; "*" for every service. */
	readonly audience: string | "*";
	readonly organization: string | "*";
	readonly role: CallerRole;
	readonly lifetimeSeconds: number;
	readonly clock?: Clock;
}

/** Signs one caller token: a JWT (RFC 7519) with HS256 under the ring's current key. */
export function mintToken(claims: TokenClaims): Promise<string> {
	const issuedAt = Math.floor(
		(claims.clock ?? systemClock)().getTime() / 1_000,
	);
	return new SignJWT({ org: claims.organization, role: claims.role })
		.setProtectedHeader({ alg: ALGORITHM, kid: claims.ring.current.id })
		.setIssuer(claims.issuer)
		.setAudience(claims.audience)
		.setIssuedAt(issuedAt)
		.setExpirationTime(issuedAt + claims.lifetimeSeconds)
		.sign(claims.ring.current.secret);
}

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
	const verified = new Map<string, { caller: Caller; expiresAt: number }>();

	async function verify(token: string): Promise<Caller> {
		const { payload } = await jwtVerify(
			token,
			(header) => keyOf(ring, header.kid),
			{
				algorithms: [ALGORITHM],
				audience: [audience, EVERY_SERVICE],
				requiredClaims: ["iss", "aud", "exp", "iat", "org", "role"],
				clockTolerance: CLOCK_TOLERANCE_S,
				currentDate: clock(),
			},
		);
		const caller = callerFrom(payload);
		const expiresAt = ((payload.exp ?? 0) + CLOCK_TOLERANCE_S) * 1_000;
		remember(verified, token, { caller, expiresAt });
		return caller;
	}

	return async (token) => {
		if (token.length > MAX_TOKEN_LENGTH)
			throw new InvalidCallerToken("The caller token is too long.");
		const known = verified.get(token);
		if (known !== undefined && clock().getTime() < known.expiresAt)
			return known.caller;
		return verify(token).catch((error: unknown) => {
			throw refusalOf(error);
		});
	};
}

function keyOf(ring: KeyRing, id: string | undefined): Uint8Array {
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

function refusalOf(error: unknown): InvalidCallerToken {
	if (error instanceof InvalidCallerToken) return error;
	if (error instanceof errors.JWTExpired)
		return new InvalidCallerToken("The caller token has expired.");
	if (error instanceof errors.JWTClaimValidationFailed)
		return new InvalidCallerToken(
			`The caller token's claim "${error.claim}" is not accepted here.`,
		);
	return new InvalidCallerToken("The caller token is not valid.");
}

function remember<V>(cache: Map<string, V>, key: string, value: V): void {
	if (cache.size >= MAX_CACHED_TOKENS) cache.clear();
	cache.set(key, value);
}
