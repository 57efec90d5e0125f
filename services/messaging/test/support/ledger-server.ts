import { startRpcServer } from "@airtower/platform/rpc/server";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
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
	const server = await startRpcServer({
		host: "127.0.0.1",
		port: 0,
		audience: "accounts",
		ring: testKeyRing,
		log: silentLog,
		metrics: createMetrics("accounts"),
		routes: (router) => routeLedger(router, () => ledger),
		services: [AccountsService],
		isHealthy: async () => true,
	});
	return {
		ledger,
		url: `http://127.0.0.1:${server.port}`,
		close: () => server.close(),
	};
}
