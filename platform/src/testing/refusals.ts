import { Code, ConnectError } from "@connectrpc/connect";
import { domainErrorFrom } from "../rpc/client.ts";

/** Why a call was refused, in the words of the service; fails when it gave none. */
export async function refusalOf(call: Promise<unknown>) {
	const refusal = domainErrorFrom(await errorOf(call));
	if (refusal === undefined) throw new Error("No reason was given.");
	return { reason: refusal.reason, field: refusal.field, kind: refusal.kind };
}

/** The RPC code of a refused call. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
	return Code[ConnectError.from(await errorOf(call)).code];
}

export function errorOf(call: Promise<unknown>): Promise<unknown> {
	return call.then(
		() => {
			throw new Error("The call was not refused.");
		},
		(error: unknown) => error,
	);
}
