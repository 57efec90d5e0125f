import { startConsumer } from "@airtower/platform/events/consumer";
import { deadLetterRoute } from "@airtower/platform/events/dead-letter-service";
import { startRelay } from "@airtower/platform/events/outbox";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
import { secretsRoute } from "@airtower/platform/resealing/secrets-service";
import { createJobs } from "@airtower/platform/runtime/jobs";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import { serveRpc } from "@airtower/platform/service/serve-rpc";
import type { ServiceOverrides } from "@airtower/platform/service/service-base";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { Config } from "./config.ts";
import { reportsGroup } from "./consumers/index.ts";
import { createContext } from "./context.ts";
import { createCountsWatch } from "./counts-watch.ts";
import { startJobs } from "./jobs/index.ts";
import { recordKeyUsage } from "./jobs/record-key-usage.ts";
import { migrations } from "./migrations.ts";
import { rpcRoutes } from "./rpc/index.ts";
import { erasableTables } from "./store/personal-data.ts";
import { sealedColumns } from "./store/sealed-columns.ts";

export function startAccounts(
	config: Config,
	overrides: ServiceOverrides = {},
): Promise<RunningService> {
	return createService({
		name: "accounts",
		config,
		migrations,
		overrides,
		build: async (base) => {
			const { sql, log, metrics } = base;
			const jobs = createJobs(log);
			const { signal } = jobs;
			const bus = await base.openBus();
			const relay = startRelay({ sql, bus, log, metrics, signal });
			const ctx = createContext({
				sql,
				log,
				metrics,
				peppers: config.API_KEY_PEPPERS,
				encryptionKeys: config.ENCRYPTION_KEYS,
				messaging: base.client(
					MessagingService,
					"messaging",
					config.MESSAGING_RPC_URL,
				),
				reconcileAfterMs: config.RECONCILE_AFTER_S * 1_000,
				ledgerMonths: config.LEDGER_RETENTION_MONTHS,
				wakeRelay: jobs.add(relay).wake,
			});
			const reports = reportsGroup(ctx);
			const groups = [reports];
			startJobs(ctx, jobs, createCountsWatch(bus, reports));
			const consumers = groups.map((group) =>
				pendingSubscription(
					startConsumer({ ...group, sql, bus, log, metrics }),
					log,
				),
			);
			return {
				server: await serveRpc(
					base,
					[
						...rpcRoutes(ctx),
						deadLetterRoute(sql, groups),
						privacyRoute(sql, erasableTables),
						secretsRoute(sql, config.ENCRYPTION_KEYS, sealedColumns),
					],
					{ tables: ["balances", "ledger_entries"] },
				),
				// What is left in memory is written last.
				stop: [
					...consumers.map(({ close }) => close),
					jobs.close,
					() => recordKeyUsage(ctx),
				],
			};
		},
	});
}
