import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";

/** Clients of a running service, as the services that call it and as an admin. */
export function clientsOf(rpcPort: number) {
	const common = {
		baseUrl: `http://127.0.0.1:${rpcPort}`,
		audience: "accounts",
	};
	return {
		accounts: testRpcClient({ ...common, service: AccountsService }),
		admin: testRpcClient({ ...common, service: AccountsAdminService }),
	};
}
