import type { onRequestHookHandler } from "fastify";
import type { Context } from "../context.ts";
import { tighter, type Verdict } from "../domain/rate-window.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
import type { RateLimiter } from "../limiting/rate-limiter.ts";
import { callerOf } from "./auth.ts";
import { sendRefusal } from "./errors.ts";

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
		const verdict = takeBoth(limiter, callerOf(request));
		if (verdict instanceof Promise) verdict.then(settle, done);
		else settle(verdict);
	};
}

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
