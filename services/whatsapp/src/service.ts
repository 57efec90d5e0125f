import { startRelay } from "@airtower/platform/events/outbox";
import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
import { secretsRoute } from "@airtower/platform/resealing/secrets-service";
import { createJobs } from "@airtower/platform/runtime/jobs";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import { serveRpc } from "@airtower/platform/service/serve-rpc";
import type { ServiceOverrides } from "@airtower/platform/service/service-base";
import { backlogRoute } from "@airtower/platform/work/backlog-service";
import {
	createLease,
	endLease,
	keepLease,
	QUEUE_LEASE_MS,
} from "@airtower/platform/work/lease";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { takeOver } from "./dispatching/take-over.ts";
import { startJobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { createCloudApi } from "./provider/cloud-api.ts";
import { rpcRoutes } from "./rpc/index.ts";
import { erasableTables } from "./store/personal-data.ts";
import { sealedColumns } from "./store/sealed-columns.ts";

const MAX_IN_FLIGHT = 500;
/** Longest wait for attempts in flight at a graceful stop, ms; what is being submitted then is unknown. */
const STOP_WAIT_MS = 15_000;

/** Starts the service; when closed it takes no more work and waits for the attempts in flight. */
export function startWhatsapp(
	config: Config,
	overrides: ServiceOverrides = {},
): Promise<RunningService> {
	return createService({
		name: "whatsapp",
		config,
		migrations,
		overrides,
		build: async (base) => {
			const { sql, log, metrics } = base;
			const jobs = createJobs(log);
			const { signal } = jobs;
			const bus = await base.openBus();
			const relay = jobs.add(startRelay({ sql, bus, log, metrics, signal }));
			const lease = await createLease(sql, QUEUE_LEASE_MS, log);
			const stop = new AbortController();
			const heartbeat = keepLease(lease, QUEUE_LEASE_MS, {
				log,
				signal: stop.signal,
			});
			const provider = createCloudApi({
				baseUrl: config.WHATSAPP_API_BASE_URL,
				version: config.WHATSAPP_API_VERSION,
				timeoutMs: config.WHATSAPP_API_TIMEOUT_MS,
				log,
			});
			const ctx = createContext({
				sql,
				log,
				metrics,
				lease,
				provider,
				signal: stop.signal,
				ring: config.ENCRYPTION_KEYS,
				appSecret: config.WHATSAPP_APP_SECRET,
				verifyToken: config.WHATSAPP_VERIFY_TOKEN,
				limits: toLimits(config),
				wakeRelay: relay.wake,
			});
			const wake = startJobs(ctx, jobs);
			return {
				server: await serveRpc(
					base,
					[
						...rpcRoutes({ ...ctx, wake }),
						backlogRoute(ctx.telemetry.unsentAge),
						secretsRoute(sql, config.ENCRYPTION_KEYS, sealedColumns),
						privacyRoute(sql, erasableTables),
					],
					{ tables: ["messages", "dispatch"] },
				),
				stop: [
					jobs.close,
					ctx.dispatcher.release,
					() => ctx.dispatcher.idle(STOP_WAIT_MS),
					async () => stop.abort(),
					() => heartbeat.done,
					() =>
						endLease(sql, lease, (sql, tokens) => takeOver(ctx, sql, tokens)),
					provider.close,
				],
			};
		},
	});
}

function toLimits(config: Config) {
	return {
		validityMs: config.MESSAGE_VALIDITY_S * 1_000,
		unknownWaitMs: config.UNKNOWN_WAIT_S * 1_000,
		ratePerSecond: config.WHATSAPP_RATE_PER_NUMBER,
		maxInFlight: MAX_IN_FLIGHT,
		bodyDays: config.BODY_RETENTION_DAYS,
		recordMonths: config.RECORD_RETENTION_MONTHS,
	};
}
