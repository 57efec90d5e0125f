import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
} from "fastify";
import type { Context } from "../context.ts";
import type { Access } from "../domain/access.ts";
import { presentedKey } from "../domain/api-key.ts";
import type { VerifiedKey } from "../keys/authenticate-keys.ts";
import type { ErrorCode } from "../schemas/errors.ts";
import { sendRefusal } from "./errors.ts";

declare module "fastify" {
	interface FastifyRequest {
		/** The key that the request came with; null on public routes. */
		caller: VerifiedKey | null;
	}
}

const INACTIVE_STATES: ReadonlySet<string> = new Set(["suspended", "closed"]);

/** The part of a request that tells whose it is. */
export type Called = Pick<FastifyRequest, "caller">;

/** The verified key of a request on a route that needs one. */
export function callerOf(request: Called): VerifiedKey {
	if (request.caller === null) throw new Error("the route is public");
	return request.caller;
}

/** Finds out whose request it is: at once for a key in use, with a question to accounts otherwise. */
export function authenticate(ctx: Context): onRequestHookHandler {
	return (request, reply, done) => {
		const presented = presentedKey(request.headers);
		if (presented.kind === "missing")
			return refuse(ctx, request, reply, "missing_api_key");
		if (presented.kind === "malformed")
			return refuse(ctx, request, reply, "invalid_api_key");
		const remembered = ctx.keys.recall(presented.key);
		if (remembered === null)
			return refuse(ctx, request, reply, "invalid_api_key");
		if (remembered !== undefined) {
			request.caller = remembered;
			return done();
		}
		if (refuseBlocked(ctx, request, reply)) return;
		ctx.keys.verify(presented.key).then((verified) => {
			if (verified === null)
				return refuse(ctx, request, reply, "invalid_api_key");
			request.caller = verified;
			done();
		}, done);
	};
}

function refuse(
	ctx: Context,
	request: FastifyRequest,
	reply: FastifyReply,
	code: ErrorCode,
): void {
	if (refuseBlocked(ctx, request, reply)) return;
	ctx.failures.recordFailure(request.ip);
	ctx.telemetry.failedAuthentications.inc();
	sendRefusal(reply, { code });
}

/** An address with too many failures gets no lookup and no reason. */
function refuseBlocked(
	ctx: Context,
	request: FastifyRequest,
	reply: FastifyReply,
): boolean {
	const blockedMs = ctx.failures.blockedForMs(request.ip);
	if (blockedMs <= 0) return false;
	const retryAfterS = Math.ceil(blockedMs / 1_000);
	sendRefusal(reply, { code: "rate_limited", retryAfterS });
	return true;
}

/** Lets a request pass when its key has the route's scope and its organization may act. */
export function authorize(
	access: Extract<Access, { kind: "key" }>,
): onRequestHookHandler {
	return (request, reply, done) => {
		const { organizationState, scopes } = callerOf(request);
		if (
			INACTIVE_STATES.has(organizationState) &&
			access.whileSuspended !== true
		)
			return sendRefusal(reply, { code: "organization_suspended" });
		if (!scopes.has(access.scope))
			return sendRefusal(reply, {
				code: "insufficient_scope",
				message: `This operation needs an API key with the scope ${access.scope}.`,
			});
		done();
	};
}
