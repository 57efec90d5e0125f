import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { SigningKey } from "./signing-key.ts";

export interface Caller {
	/** A service's name, "admin", or "team:<name>". */
	readonly issuer: string;
	/** Of a person, who the token was issued to; the issuer otherwise. */
	readonly name: string;
	/** "*" for every one. */
	readonly organization: string | "*";
}

export const TOKEN_ALGORITHM = "EdDSA";
const RENEW_AFTER_MS = 40_000;
/** Tokens begin so much earlier, ms, and end so much later than they are used: clocks of two machines differ. */
const CLOCK_MARGIN_MS = 30_000;
/** Life of a signer's tokens, seconds. */
const LIFETIME_S = (RENEW_AFTER_MS + 2 * CLOCK_MARGIN_MS) / 1_000;
const MAX_CACHED_TOKENS = 10_000;

export interface TokenSigner {
	/** Valid for 30 s or more, also by a clock that is 30 s off. */
	tokenFor(audience: string, organization: string | "*"): Promise<string>;
}

interface TokenSignerOptions {
	readonly key: SigningKey;
	/** The person who acts, with the key of admins. */
	readonly person?: string;
	readonly clock?: Clock;
}

export function createTokenSigner(options: TokenSignerOptions): TokenSigner {
	const { clock = systemClock } = options;
	const cache = new LRUCache<
		string,
		{ token: Promise<string>; signedAt: number }
	>({ max: MAX_CACHED_TOKENS });
	return {
		tokenFor(audience, organization) {
			const key = `${audience} ${organization}`;
			const now = clock().getTime();
			const cached = cache.get(key);
			// A token of the future, signed before the clock was set back, is accepted nowhere.
			const age = now - (cached?.signedAt ?? Number.NaN);
			if (cached !== undefined && age >= 0 && age < RENEW_AFTER_MS)
				return cached.token;
			const token = mintToken({
				...options,
				audience,
				organization,
				lifetimeSeconds: LIFETIME_S,
				clock: () => new Date(now - CLOCK_MARGIN_MS),
			});
			cache.set(key, { token, signedAt: now });
			return token;
		},
	};
}

export interface TokenClaims extends TokenSignerOptions {
	/** "*" for every service: a person's only. */
	readonly audience: string | "*";
	readonly organization: string | "*";
	/** Services accept 600 of a service or team, 43,200 of a person. */
	readonly lifetimeSeconds: number;
}

/** Signs one caller token: a JWT (RFC 7519) with Ed25519, whose issuer is the key's. */
export function mintToken(claims: TokenClaims): Promise<string> {
	const { key, person, clock = systemClock } = claims;
	const issuedAt = Math.floor(clock().getTime() / 1_000);
	return new SignJWT({
		org: claims.organization,
		...(person !== undefined && { sub: person }),
	})
		.setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: key.id })
		.setIssuer(key.issuer)
		.setAudience(claims.audience)
		.setIssuedAt(issuedAt)
		.setExpirationTime(issuedAt + claims.lifetimeSeconds)
		.sign(key.privateKey);
}
