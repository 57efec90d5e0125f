import { PRIVILEGED_PORTS } from "@airtower/platform/egress/address-guard";
import { deadLetterRoute } from "@airtower/platform/events/dead-letter-service";
import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
import { secretsRoute } from "@airtower/platform/resealing/secrets-service";
import { createJobs } from "@airtower/platform/runtime/jobs";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import { serveRpc } from "@airtower/platform/service/serve-rpc";
import { backlogRoute } from "@airtower/platform/work/backlog-service";
import {
	createLease,
	endLease,
	keepLease,
	QUEUE_LEASE_MS,
} from "@airtower/platform/work/lease";
import type { Config } from "./config.ts";
import { consumerGroups, startConsumers } from "./consumers/index.ts";
import { createContext } from "./context.ts";
import { startJobs } from "./jobs/index.ts";
import { freeDeliveries } from "./jobs/rescue-deliveries.ts";
import { migrations } from "./migrations.ts";
import { rpcRoutes } from "./rpc/index.ts";
import { ATTEMPT_TIMEOUT_MS } from "./sending/poster.ts";
import { erasableTables } from "./store/personal-data.ts";
import { sealedColumns } from "./store/sealed-columns.ts";

/**
 * Longest waits at a graceful stop, ms: for attempts in flight, which end by themselves before, since one that the stop
 * ended would be told as a failure of its receiver; and until what came of them is recorded.
 */
const STOP_WAIT_MS = ATTEMPT_TIMEOUT_MS + 500;
const LAST_SETTLES_MS = 5_000;

export function startWebhooks(config: Config): Promise<RunningService> {
	return createService({
		name: "webhooks",
		config,
		migrations,
		build: async (base) => {
			const { sql, log, metrics } = base;
			const lease = await createLease(sql, QUEUE_LEASE_MS, log);
			const stop = new AbortController();
			const { signal } = stop;
			const heartbeat = keepLease(lease, QUEUE_LEASE_MS, { log, signal });
			const jobs = createJobs(log);
			const ctx = createContext({
				sql,
				log,
				metrics,
				lease,
				signal,
				ring: config.ENCRYPTION_KEYS,
				urlRules: {
					allowHttp: config.ALLOW_HTTP_WEBHOOKS,
					allowPrivateAddresses: config.ALLOW_PRIVATE_WEBHOOK_ADDRESSES,
					blockedNetworks: config.BLOCKED_NETWORKS,
					blockedPorts: [
						...config.BLOCKED_PORTS,
						...(config.ALLOW_PRIVILEGED_WEBHOOK_PORTS ? [] : PRIVILEGED_PORTS),
					],
				},
				egressProxy: config.EGRESS_PROXY,
				maxInFlight: config.MAX_IN_FLIGHT,
				maxPerEndpoint: config.MAX_IN_FLIGHT_PER_ENDPOINT,
				eventDays: config.EVENT_RETENTION_DAYS,
				textDays: config.BODY_RETENTION_DAYS,
				wakeSender: () => sender.wake(),
			});
			const sender = startJobs(ctx, jobs);
			const bus = await base.openBus();
			const groups = consumerGroups(ctx);
			const consumers = startConsumers(ctx, groups, bus, metrics);
			return {
				server: await serveRpc(
					base,
					[
						...rpcRoutes(ctx),
						backlogRoute(ctx.telemetry.untriedAge),
						deadLetterRoute(sql, groups),
						secretsRoute(sql, config.ENCRYPTION_KEYS, sealedColumns),
						privacyRoute(sql, erasableTables),
					],
					{ tables: ["events", "delivery_queue"] },
				),
				stop: [
					...consumers.map(({ close }) => close),
					jobs.close,
					ctx.sender.release,
					() => ctx.sender.idle(STOP_WAIT_MS),
					ctx.poster.close,
					() => ctx.sender.idle(LAST_SETTLES_MS),
					async () => stop.abort(),
					() => ctx.sender.idle(),
					() => heartbeat.done,
					() => endLease(sql, lease, freeDeliveries),
				],
			};
		},
	});
}
