import { isLongerThan, isPlain } from "@airtower/proto/rules/plain-text";
import {
	decodeProtectedHeader,
	errors,
	type JWTPayload,
	jwtVerify,
} from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { type Caller, TOKEN_ALGORITHM } from "./caller-token.ts";
import { ADMIN } from "./jwk.ts";
import type { TrustedKey, TrustedKeys } from "./trusted-keys.ts";

/** Its message is safe for the caller and never contains the token. */
export class InvalidCallerToken extends Error {
	override readonly name = "InvalidCallerToken";
}

/** A token is refused this long after its `iat`, even if its `exp` is later, s. */
const MAX_AGE_S = 600;
/** The same for a person's token. */
export const MAX_ADMIN_AGE_S = 43_200;
const EVERY_SERVICE = "*";
/** How far two clocks may differ, s. */
const CLOCK_TOLERANCE_S = 5;
const MAX_TOKEN_LENGTH = 2_048;
const MAX_CACHED_TOKENS = 10_000;
const MAX_PERSON_LENGTH = 100;

interface TokenVerifierOptions {
	readonly trustedKeys: () => TrustedKeys;
	readonly audience: string;
	readonly clock?: Clock;
}

export type TokenVerifier = (token: string) => Promise<Caller>;

interface Verified {
	readonly caller: Caller;
	readonly expiresAt: number;
	/** The keys that the token was verified with: once they have changed, it is verified again. */
	readonly keys: TrustedKeys;
}

/** Concurrent calls with the same token share one verification. */
export function createTokenVerifier(
	options: TokenVerifierOptions,
): TokenVerifier {
	const { trustedKeys, audience, clock = systemClock } = options;
	const verified = new LRUCache<string, Verified>({ max: MAX_CACHED_TOKENS });
	const underWay = new Map<string, Promise<Verified>>();

	const verifyNow = (token: string) => {
		const found = verifyWith(trustedKeys(), token, audience, clock())
			.then((result) => {
				verified.set(token, result);
				return result;
			})
			.finally(() => underWay.delete(token));
		underWay.set(token, found);
		return found;
	};

	return async (token) => {
		if (token.length > MAX_TOKEN_LENGTH)
			throw new InvalidCallerToken("The caller token is too long.");
		const known = verified.get(token);
		const isGood =
			known?.keys === trustedKeys() && clock().getTime() < known.expiresAt;
		if (known !== undefined && isGood) return known.caller;
		const { caller } = await (underWay.get(token) ?? verifyNow(token));
		return caller;
	};
}

async function verifyWith(
	keys: TrustedKeys,
	token: string,
	audience: string,
	now: Date,
): Promise<Verified> {
	const key = findKey(keys, token);
	const payload = await verifySigned(token, key, audience, now);
	const caller = callerFrom(payload, key);
	const { exp = 0, iat = 0 } = payload;
	const endS = Math.min(exp, iat + maxAgeOf(key)) + CLOCK_TOLERANCE_S;
	return { caller, expiresAt: endS * 1_000, keys };
}

function findKey(keys: TrustedKeys, token: string): TrustedKey {
	const key = keys.get(readKeyId(token) ?? "");
	if (key === undefined)
		throw new InvalidCallerToken("The caller token names no known key.");
	return key;
}

function readKeyId(token: string): string | undefined {
	try {
		return decodeProtectedHeader(token).kid;
	} catch {
		throw new InvalidCallerToken("The caller token is not valid.");
	}
}

async function verifySigned(
	token: string,
	key: TrustedKey,
	audience: string,
	now: Date,
): Promise<JWTPayload> {
	const isPerson = key.issuer === ADMIN;
	try {
		const { payload } = await jwtVerify(token, key.publicKey, {
			algorithms: [TOKEN_ALGORITHM],
			issuer: key.issuer,
			audience: isPerson ? [audience, EVERY_SERVICE] : audience,
			requiredClaims: ["exp", "iat", "org", ...(isPerson ? ["sub"] : [])],
			maxTokenAge: maxAgeOf(key),
			clockTolerance: CLOCK_TOLERANCE_S,
			currentDate: now,
		});
		return payload;
	} catch (error) {
		throw toRefusal(error);
	}
}

function maxAgeOf({ issuer }: TrustedKey): number {
	return issuer === ADMIN ? MAX_ADMIN_AGE_S : MAX_AGE_S;
}

function callerFrom({ org, sub }: JWTPayload, key: TrustedKey): Caller {
	const { issuer, organizations } = key;
	const name = issuer === ADMIN ? sub : issuer;
	const wellFormed = typeof org === "string" && org !== "";
	if (!wellFormed || typeof name !== "string" || !isPersonName(name))
		throw new InvalidCallerToken("The caller token's claims are malformed.");
	if (organizations !== undefined && !organizations.includes(org))
		throw new InvalidCallerToken(
			"The caller token's key may not be used for its organization.",
		);
	return { issuer, name, organization: org };
}

function toRefusal(error: unknown): InvalidCallerToken {
	if (error instanceof errors.JWTExpired)
		return new InvalidCallerToken("The caller token has expired.");
	if (isOfFuture(error))
		return new InvalidCallerToken(
			`The caller token is dated in the future ("iat"): the clock of who signed it, or of this service, is wrong.`,
		);
	if (error instanceof errors.JWTClaimValidationFailed)
		return new InvalidCallerToken(
			`The caller token's claim "${error.claim}" is not accepted here.`,
		);
	return new InvalidCallerToken("The caller token is not valid.");
}

function isOfFuture(error: unknown): boolean {
	return (
		error instanceof errors.JWTClaimValidationFailed &&
		error.claim === "iat" &&
		error.reason === "check_failed"
	);
}

/** What a person may be called: 1 to 100 characters of plain text. */
export function isPersonName(name: string): boolean {
	return (
		name !== "" &&
		!isLongerThan(name, MAX_PERSON_LENGTH) &&
		name.isWellFormed() &&
		isPlain(name)
	);
}
