import { isApiKey } from "@airtower/proto/rules/api-key";
import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
} from "fastify";
import type { Context } from "../context.ts";
import type { Access } from "../domain/access.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
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
		const remembered = ctx.keys.recall(presented.key);
		if (remembered !== undefined) return admit(remembered);
		ctx.keys.verify(presented.key).then(admit, done);
	};
}

/** Finds out whose request it is, if anybody's: for what is refused whoever asks. */
export function recognize({ keys }: Context): onRequestHookHandler {
	return (request, _reply, done) => {
		const presented = presentedKey(request.headers);
		if (presented.kind !== "key") return done();
		const note = (key: VerifiedKey | null) => {
			request.caller = key;
			done();
		};
		const remembered = keys.recall(presented.key);
		if (remembered !== undefined) return note(remembered);
		keys.verify(presented.key).then(note, () => done());
	};
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
