import { waitWhile } from "@airtower/platform/runtime/waiting";
import {
	isBindRefusal,
	isBindTaken,
	statusText,
} from "../../domain/smpp-status.ts";
import type { SmppRoute } from "../route/smpp-route.ts";
import type { Response } from "./pending-requests.ts";
import type { SmppConnection } from "./smpp-connection.ts";

export type BindRole = "transceiver" | "transmitter" | "receiver";

/** Why a connection is not bound. */
export interface BindProblem {
	readonly why: string;
	/** True for credentials that are wrong, or an account that may not bind. */
	readonly isRefusal: boolean;
	/** True where another session of the account may be in the way. */
	readonly isTaken: boolean;
}

const VERSION = 0x34;

/**
 * Returns undefined once the connection is bound.
 * @param mostMs closes the connection without a response within; absent: the time of every response decides
 */
export async function requestBind(
	connection: SmppConnection,
	role: BindRole,
	{ systemId, password, systemType }: SmppRoute,
	mostMs?: number,
): Promise<BindProblem | undefined> {
	const { promise, resolve } = Promise.withResolvers<Response>();
	const fields = {
		system_id: systemId,
		password,
		system_type: systemType,
		interface_version: VERSION,
	};
	connection.request(`bind_${role}`, fields, resolve);
	const end = () => connection.destroy(`none within ${mostMs} ms`);
	const timer = mostMs === undefined ? undefined : setTimeout(end, mostMs);
	const response = await promise;
	clearTimeout(timer);
	if (response.kind !== "responded")
		return {
			why: `no response to bind: ${response.why}`,
			isRefusal: false,
			isTaken: false,
		};
	const { status } = response.pdu;
	if (status === 0) return undefined;
	const isRefusal = isBindRefusal(status);
	const verb = isRefusal ? "refused" : "failed";
	return {
		why: `bind ${verb}: ${statusText(status)}`,
		isRefusal,
		isTaken: isBindTaken(status),
	};
}

interface UnbindTimes {
	/** Longest wait for the responses to earlier requests, ms. */
	readonly drainMs: number;
	/** Longest wait for the response to the unbind, ms. */
	readonly unbindTimeoutMs: number;
}

/** Waits for the responses that are on their way, and unbinds. */
export async function unbind(
	connection: SmppConnection,
	{ drainMs, unbindTimeoutMs }: UnbindTimes,
): Promise<void> {
	await waitWhile(() => connection.outstanding > 0, drainMs);
	await new Promise<void>((resolve) => {
		setTimeout(resolve, unbindTimeoutMs).unref();
		connection.request("unbind", {}, () => resolve());
	});
	connection.end("stopped");
}
