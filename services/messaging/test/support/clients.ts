import { domainErrorFrom } from "@airtower/platform/rpc/client";
import {
	type TestCaller,
	testRpcClient,
} from "@airtower/platform/testing/rpc-client";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { Code, ConnectError } from "@connectrpc/connect";

/** Clients of a running service. */
export function clientsOf(rpcPort: number, caller: TestCaller = {}) {
	const common = {
		baseUrl: `http://127.0.0.1:${rpcPort}`,
		audience: "messaging",
		...caller,
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
