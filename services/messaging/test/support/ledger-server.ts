import { serveRoutes } from "@airtower/platform/testing/rpc-server";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { createLedger, type Ledger, routeLedger } from "./ledger.ts";

export interface LedgerServer {
	readonly ledger: Ledger;
	readonly url: string;
	close(): Promise<void>;
}

/** A ledger behind a real RPC server, for a service in another process. */
export async function startLedgerServer(): Promise<LedgerServer> {
	const ledger = createLedger();
	const { url, close } = await serveRoutes("accounts", [
		{
			service: AccountsService,
			register: (router) => routeLedger(router, () => ledger),
		},
	]);
	return { ledger, url, close };
}
