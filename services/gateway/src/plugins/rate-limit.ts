import type { onRequestHookHandler } from "fastify";
import type { Context } from "../context.ts";
import type { Verdict } from "../domain/rate-window.ts";
import { takeBoth } from "../limiting/take-both.ts";
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
