import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { KeyRing } from "../runtime/key-ring.ts";

/** What a token may do; "admin" adds the methods of the admin command. */
export type CallerRole = "service" | "admin";

/** Who calls, as a verified caller token says. */
export interface Caller {
	readonly issuer: string;
	/** The only organization the caller may act for; "*" for every one. */
	readonly organization: string | "*";
	readonly role: CallerRole;
}

export const TOKEN_ALGORITHM = "HS256";
/** Life of a signer's tokens, seconds. */
const LIFETIME_S = 60;
/** A cached token is replaced when less than this is left, milliseconds. */
const RENEW_BEFORE_EXPIRY_MS = 20_000;
/** Tokens that a signer remembers. */
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
	const cache = new LRUCache<string, { token: string; renewAt: number }>({
		max: MAX_CACHED_TOKENS,
	});
	return {
		async tokenFor(audience, organization) {
			const key = `${audience} ${organization}`;
			const now = clock().getTime();
			const cached = cache.get(key);
			if (cached !== undefined && now < cached.renewAt) return cached.token;
			const token = await mintToken({
				...{ ring, issuer, audience, organization, role, clock },
				lifetimeSeconds: LIFETIME_S,
			});
			const renewAt = now + LIFETIME_S * 1_000 - RENEW_BEFORE_EXPIRY_MS;
			cache.set(key, { token, renewAt });
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
		.setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: claims.ring.current.id })
		.setIssuer(claims.issuer)
		.setAudience(claims.audience)
		.setIssuedAt(issuedAt)
		.setExpirationTime(issuedAt + claims.lifetimeSeconds)
		.sign(claims.ring.current.secret);
}
