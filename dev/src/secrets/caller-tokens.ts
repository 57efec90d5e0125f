import { mintToken } from "@airtower/platform/rpc/caller-token";
import { parseKeyRing } from "@airtower/platform/runtime/key-ring";
import type { System } from "../start/system.ts";

const ISSUER = "operator";
/** Longest that services accept. */
const LIFETIME_S = 600;

export function callerTokenMinter(
	callerTokenKeys: string,
): System["callerToken"] {
	const ring = parseKeyRing(callerTokenKeys);
	return ({
		issuer = ISSUER,
		role = "service",
		lifetimeSeconds = LIFETIME_S,
		...rest
	}) => mintToken({ ring, issuer, role, lifetimeSeconds, ...rest });
}
