import {
	type CallerRole,
	createTokenSigner,
} from "@airtower/platform/rpc/caller-token";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { parseKeyRing } from "@airtower/platform/runtime/key-ring";
import { keyRingText, testKeyRing } from "@airtower/platform/testing/keys";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { Code, ConnectError } from "@connectrpc/connect";

export interface CallerOptions {
	/** Default: of every organization. */
	readonly organization?: string;
	/** Default admin. */
	readonly role?: CallerRole;
	/** Signs with a key that the service does not know. */
	readonly stranger?: boolean;
}

/** Clients of a running service. */
export function clientsOf(rpcPort: number, caller: CallerOptions = {}) {
	const { organization = "*", role = "admin" } = caller;
	const ring = caller.stranger ? parseKeyRing(keyRingText()) : testKeyRing;
	const common = {
		baseUrl: `http://127.0.0.1:${rpcPort}`,
		audience: "messaging",
		organization,
		signer: createTokenSigner({ ring, issuer: "test", role }),
	};
	return {
		messaging: testRpcClient({ ...common, service: MessagingService }),
		admin: testRpcClient({ ...common, service: MessagingAdminService }),
	};
}

export type Clients = ReturnType<typeof clientsOf>;

/** Reason of the domain error that a call fails with, or the code of one without a reason. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
	try {
		await call;
		return "accepted";
	} catch (error) {
		const { code } = ConnectError.from(error);
		return domainErrorFrom(error)?.reason ?? Code[code];
	}
}
