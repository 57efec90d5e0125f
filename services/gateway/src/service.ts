import { createJobs } from "@airtower/platform/runtime/jobs";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import type { ServiceOverrides } from "@airtower/platform/service/service-base";
import { buildApp } from "./app.ts";
import { createClients, type ServiceName } from "./clients.ts";
import type { Config } from "./config.ts";
import { startAccountChanges } from "./consumers/account-changes.ts";
import { createContext } from "./context.ts";
import { startJobs } from "./jobs/index.ts";
import { storeLastRequests } from "./jobs/store-requests.ts";
import { migrations } from "./migrations.ts";
import { listen } from "./plugins/listen.ts";

interface GatewayOverrides extends ServiceOverrides {
	readonly nowMs?: () => number;
	readonly monotonicMs?: () => number;
	readonly authenticateTimeoutMs?: number;
}

/** Starts the gateway, whose server is the public API; it finishes the requests in progress when it is closed. */
export function startGateway(
	config: Config,
	overrides: GatewayOverrides = {},
): Promise<RunningService> {
	return createService({
		name: "gateway",
		config,
		migrations,
		overrides,
		build: async (base) => {
			const { sql, log, metrics } = base;
			const { nowMs = Date.now, authenticateTimeoutMs } = overrides;
			const { monotonicMs = () => performance.now() } = overrides;
			const urlOf = (name: ServiceName) =>
				config[`${name.toUpperCase() as Uppercase<ServiceName>}_RPC_URL`];
			const clients = createClients(urlOf, base.client, authenticateTimeoutMs);
			const parts = { sql, log, metrics, clients, nowMs, monotonicMs };
			const ctx = createContext(config, parts);
			const bus = await base.openBus();
			const changes = await startAccountChanges(bus, ctx.keys, log);
			const jobs = createJobs(log);
			startJobs(ctx, jobs);
			const { sms, whatsapp, limiter } = ctx;
			return {
				server: await listen(await buildApp(ctx), ctx, config),
				stop: [
					sms.drain,
					whatsapp.drain,
					jobs.close,
					changes.close,
					limiter.close,
					() => storeLastRequests(ctx),
				],
			};
		},
	});
}
