import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { KeyRing } from "../runtime/key-ring.ts";

export type CallerRole = "service" | "admin";

export interface Caller {
	readonly issuer: string;
	/** "*" for every one. */
	readonly organization: string | "*";
	readonly role: CallerRole;
}

export const TOKEN_ALGORITHM = "HS256";
/** Life of a signer's tokens, seconds. */
const LIFETIME_S = 60;
const RENEW_AFTER_MS = 40_000;
const MAX_CACHED_TOKENS = 1_000;

export interface TokenSigner {
	/** Valid for 20 s or more. */
	tokenFor(audience: string, organization: string | "*"): Promise<string>;
}

export interface TokenSignerOptions {
	readonly ring: KeyRing;
	readonly issuer: string;
	readonly role?: CallerRole;
	readonly clock?: Clock;
}

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
			cache.set(key, { token, renewAt: now + RENEW_AFTER_MS });
			return token;
		},
	};
}

export interface TokenClaims {
	readonly ring: KeyRing;
	readonly issuer: string;
	/** "*" for every service. */
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
