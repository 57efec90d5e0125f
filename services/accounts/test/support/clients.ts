import { createTokenSigner } from "@airtower/platform/rpc/caller-token";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";

/** Clients of a running service, as messaging and as an operator. */
export function clientsOf(rpcPort: number) {
	const common = {
		baseUrl: `http://127.0.0.1:${rpcPort}`,
		audience: "accounts",
		signer: createTokenSigner({
			ring: testKeyRing,
			issuer: "test",
			role: "admin",
		}),
	};
	return {
		accounts: testRpcClient({ ...common, service: AccountsService }),
		admin: testRpcClient({ ...common, service: AccountsAdminService }),
	};
}
