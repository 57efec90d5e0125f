import type { SmppRoute } from "../route/smpp-route.ts";
import { ROLES } from "./bind-pool.ts";
import {
	type BindProblem,
	type BindRole,
	requestBind,
	unbind,
} from "./bind-request.ts";
import { SmppConnection } from "./smpp-connection.ts";
import { defaultLimits } from "./smpp-limits.ts";
import { openSocket } from "./smpp-socket.ts";

/** ESME_RX_T_APPN. */
const TRY_AGAIN = 0x64;
/** Short enough for an admin to wait for. */
const LIMITS = {
	...defaultLimits,
	connectTimeoutMs: 5_000,
	responseTimeoutMs: 5_000,
	unbindTimeoutMs: 1_000,
};

type BindFailure = Pick<BindProblem, "why" | "isRefusal">;

/** Binds as the route would, and unbinds. Returns why that failed; undefined where the operator let it in. */
export async function tryBind(
	route: SmppRoute,
	signal: AbortSignal,
): Promise<BindFailure | undefined> {
	try {
		for (const role of ROLES[route.mode]) {
			const problem = await tryRole(route, role, signal);
			if (problem !== undefined) return problem;
		}
		return undefined;
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return { why, isRefusal: false };
	}
}

async function tryRole(
	route: SmppRoute,
	role: BindRole,
	signal: AbortSignal,
): Promise<BindFailure | undefined> {
	const closed = Promise.withResolvers<void>();
	const socket = await openSocket(route, LIMITS.connectTimeoutMs, signal);
	const connection = new SmppConnection(socket, LIMITS, {
		// Receipts that come meanwhile are asked for again: the route's own connections take them.
		onDelivery: (pdu) => connection.respond(pdu, TRY_AGAIN),
		onStrayResponse: () => {},
		onUnbind: () => {},
		onSilence: () => {},
		onClose: () => closed.resolve(),
	});
	const problem = await requestBind(connection, role, route);
	if (problem === undefined)
		await unbind(connection, { ...LIMITS, drainMs: 0 });
	else connection.end(problem.why);
	await closed.promise;
	return problem;
}
