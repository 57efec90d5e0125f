import type { FastifyReply, onRequestHookHandler } from "fastify";
import type { Context } from "../context.ts";
import type { Verdict } from "../domain/rate-window.ts";
import { callerOf } from "./auth.ts";
import { sendRefusal } from "./errors.ts";

/** Takes one unit of the key's window, says so in the headers, and refuses when none is left. */
export function limitRate(ctx: Context): onRequestHookHandler {
	return (request, reply, done) => {
		const { apiKeyId, rateLimit } = callerOf(request);
		const verdict = ctx.limiter.take(apiKeyId, rateLimit);
		if (verdict instanceof Promise)
			verdict.then((verdict) => settle(ctx, reply, verdict, done), done);
		else settle(ctx, reply, verdict, done);
	};
}

function settle(
	ctx: Context,
	reply: FastifyReply,
	verdict: Verdict,
	done: () => void,
): void {
	reply.header("x-ratelimit-limit", verdict.limit);
	reply.header("x-ratelimit-remaining", verdict.remaining);
	reply.header("x-ratelimit-reset", verdict.resetAt);
	if (verdict.allowed) {
		done();
		return;
	}
	const waitS = Math.ceil(verdict.resetAt - ctx.nowMs() / 1_000);
	sendRefusal(reply, {
		code: "rate_limited",
		retryAfterS: Math.max(1, waitS),
	});
}
