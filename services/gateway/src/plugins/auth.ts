import { isApiKey } from "@airtower/proto/rules/api-key";
import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
} from "fastify";
import type { Context } from "../context.ts";
import type { Access } from "../domain/access.ts";
import { tighter, type Verdict } from "../domain/rate-window.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
import type { RateLimiter } from "../limiting/rate-limiter.ts";
import type { ErrorCode } from "../schemas/errors.ts";
import { sendRefusal } from "./errors.ts";

declare module "fastify" {
	interface FastifyRequest {
		/** The key that the request came with; null on public routes. */
		caller: VerifiedKey | null;
	}
}

export function callerOf({
	caller,
}: Pick<FastifyRequest, "caller">): VerifiedKey {
	if (caller === null) throw new Error("the route is public");
	return caller;
}

/** Finds out whose request it is: at once for a key in use, with a question to accounts otherwise. */
export function authenticate(ctx: Context): onRequestHookHandler {
	return (request, reply, done) => {
		const refuse = (code: ErrorCode) => refuseKey(ctx, request, reply, code);
		const presented = presentedKey(request.headers);
		if (presented.kind === "missing") return refuse("missing_api_key");
		if (presented.kind === "malformed") return refuse("invalid_api_key");
		const admit = (key: VerifiedKey | null) => {
			if (key === null) return refuse("invalid_api_key");
			request.caller = key;
			done();
		};
		goOn(findKey(ctx, presented.key), admit, done);
	};
}

/** Finds out whose request it is, if anybody's: for what is refused whoever asks. */
export function recognize(ctx: Context): onRequestHookHandler {
	return (request, _reply, done) => {
		const presented = presentedKey(request.headers);
		if (presented.kind !== "key") return done();
		const note = (key: VerifiedKey | null) => {
			request.caller = key;
			done();
		};
		goOn(findKey(ctx, presented.key), note, () => done());
	};
}

function findKey({ keys }: Context, apiKey: string): Now<VerifiedKey | null> {
	const remembered = keys.recall(apiKey);
	return remembered === undefined ? keys.verify(apiKey) : remembered;
}

/** An address with too many failures is not told why its keys are bad; a good key passes all the same. */
function refuseKey(
	{ failures, telemetry }: Context,
	{ ip }: FastifyRequest,
	reply: FastifyReply,
	code: ErrorCode,
): void {
	telemetry.failedAuthentications.inc();
	const blockedMs = failures.blockedForMs(ip);
	if (blockedMs <= 0) {
		failures.recordFailure(ip);
		sendRefusal(reply, { code });
		return;
	}
	const retryAfterS = Math.ceil(blockedMs / 1_000);
	sendRefusal(reply, { code: "too_many_failures", retryAfterS });
}

interface KeyHeaders {
	readonly authorization?: string | undefined;
	readonly "x-api-key"?: string | string[] | undefined;
}

type PresentedKey =
	| { readonly kind: "key"; readonly key: string }
	| { readonly kind: "missing" }
	| { readonly kind: "malformed" };

const MISSING: PresentedKey = { kind: "missing" };
const MALFORMED: PresentedKey = { kind: "malformed" };
const BEARER = /^bearer +(\S+) *$/i;

/** The key in `Authorization: Bearer` or `x-api-key`; where the two differ nobody should have to guess which counts. */
export function presentedKey(headers: KeyHeaders): PresentedKey {
	const { authorization, "x-api-key": direct } = headers;
	if (authorization === undefined && direct === undefined) return MISSING;
	const bearer =
		authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
	if (authorization !== undefined && bearer === undefined) return MALFORMED;
	const key = direct ?? bearer;
	if (typeof key !== "string" || (bearer !== undefined && bearer !== key))
		return MALFORMED;
	return isApiKey(key) ? { kind: "key", key } : MALFORMED;
}

/** Takes one unit, says so in the headers, and refuses when none is left. */
export function limitRate({ limiter, nowMs }: Context): onRequestHookHandler {
	return (request, reply, done) => {
		const settle = ({ allowed, limit, remaining, resetAt }: Verdict) => {
			reply.header("x-ratelimit-limit", limit);
			reply.header("x-ratelimit-remaining", remaining);
			reply.header("x-ratelimit-reset", resetAt);
			if (allowed) return done();
			const waitS = Math.ceil(resetAt - nowMs() / 1_000);
			const retryAfterS = Math.max(1, waitS);
			sendRefusal(reply, { code: "rate_limited", retryAfterS });
		};
		goOn(takeBoth(limiter, callerOf(request)), settle, done);
	};
}

/** Known now, or later. */
type Now<T> = T | Promise<T>;

/** Takes one unit of the key's window, then of its organization's: what a key is refused costs the others nothing. */
function takeBoth(
	limiter: Pick<RateLimiter, "take">,
	key: VerifiedKey,
): Now<Verdict> {
	return after(limiter.take(key.apiKeyId, key.rateLimit), (own) => {
		if (!own.allowed) return own;
		const { organizationId, organizationRateLimit } = key;
		const shared = limiter.take(organizationId, organizationRateLimit);
		return after(shared, (all) => tighter(own, all));
	});
}

function after<T>(value: Now<T>, next: (value: T) => Now<T>): Now<T> {
	return value instanceof Promise ? value.then(next) : next(value);
}

function goOn<T>(
	value: Now<T>,
	next: (value: T) => void,
	fail: (error: Error) => void,
): void {
	if (value instanceof Promise) value.then(next, fail);
	else next(value);
}

const INACTIVE_STATES: ReadonlySet<string> = new Set(["suspended", "closed"]);

/** Lets a request pass when its key has the route's scope and its organization may act. */
export function authorize(
	access: Extract<Access, { kind: "key" }>,
): onRequestHookHandler {
	const { scope, whileSuspended = false } = access;
	const message = `This operation needs an API key with the scope ${scope}.`;
	return (request, reply, done) => {
		const { organizationState, scopes } = callerOf(request);
		if (INACTIVE_STATES.has(organizationState) && !whileSuspended)
			return sendRefusal(reply, { code: "organization_suspended" });
		if (!scopes.has(scope))
			return sendRefusal(reply, { code: "insufficient_scope", message });
		done();
	};
}
