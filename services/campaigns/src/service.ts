import { setImmediate } from "node:timers/promises";
import { connectDatabase, type Tx } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migrate-at-start";
import { startConsumer } from "@airtower/platform/events/consumer";
import { openServiceBus } from "@airtower/platform/events/create-event-bus";
import { deadLetterRoutes } from "@airtower/platform/events/dead-letter-service";
import type {
	BusEvent,
	EventBus,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { createTokenSigner } from "@airtower/platform/rpc/caller-token";
import { createRpcClient } from "@airtower/platform/rpc/client";
import { readRpcTls } from "@airtower/platform/rpc/tls";
import { systemClock } from "@airtower/platform/runtime/clock";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger } from "@airtower/platform/runtime/log";
import { type Loop, runLoop } from "@airtower/platform/runtime/loop";
import {
	createMetrics,
	type Metrics,
} from "@airtower/platform/runtime/metrics";
import { startServers } from "@airtower/platform/runtime/service-servers";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import { topics } from "@airtower/proto/rules/topics";
import type { CampaignsConfig } from "./config.ts";
import { wakeOnAccountChanges } from "./consumers/account-changes.ts";
import {
	applyMessageOutcomes,
	isOfCampaign,
} from "./consumers/message-outcomes.ts";
import type { CampaignsContext } from "./context.ts";
import { deleteExpired } from "./jobs/delete-expired.ts";
import { runDueCampaign } from "./jobs/run-campaigns.ts";
import { migrationSets } from "./migrations.ts";
import { routes, services } from "./rpc/index.ts";

const NAME = "campaigns";
/** Campaigns worked on at once in one process; those that are due take turns. */
const CAMPAIGN_WORKERS = 3;
const CAMPAIGNS_INTERVAL_MS = 500;
const DELETE_INTERVAL_MS = 60_000;

export interface RunningCampaigns {
	readonly rpcPort: number;
	readonly opsPort: number;
	close(): Promise<void>;
}

/**
 * Starts the campaigns service: database, bus, consumers, jobs and servers. It does not wait for Kafka, which keeps
 * for a new group what is published before it comes; the bus in PostgreSQL keeps that for known groups only.
 */
export async function startCampaigns(
	config: CampaignsConfig,
): Promise<RunningCampaigns> {
	const log = createLogger({ service: NAME, level: config.LOG_LEVEL });
	const metrics = createMetrics(NAME);
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: NAME,
	});
	await migrateAtStart(sql, migrationSets, log);
	const { bus, close: closeBus } = await openServiceBus(NAME, config, {
		log,
		metrics,
	});
	const tls = await readRpcTls(config);
	const stop = new AbortController();
	const workers: Loop[] = [];
	const ctx: CampaignsContext = {
		sql,
		log,
		clock: systemClock,
		messaging: createRpcClient({
			service: MessagingService,
			baseUrl: config.MESSAGING_RPC_URL,
			signer: createTokenSigner({
				ring: config.CALLER_TOKEN_KEYS,
				issuer: NAME,
			}),
			audience: "messaging",
			tls,
		}),
		pokeCampaigns: () => {
			for (const worker of workers) worker.wake();
		},
	};
	const consumers = startConsumers(ctx, bus, metrics, stop.signal);
	if (config.EVENT_BUS === "postgres") await consumers.inPlace;
	workers.push(...startWorkers(ctx, stop.signal));
	const upkeep = [
		runLoop({
			name: "delete-expired",
			intervalMs: DELETE_INTERVAL_MS,
			signal: stop.signal,
			log,
			runOnce: () => deleteExpired(ctx),
		}),
	];
	const { rpc, ops } = await startServers(NAME, config, {
		sql,
		log,
		metrics,
		tls,
		routes: (router) => {
			routes(ctx)(router);
			deadLetterRoutes(sql, groupsOf(ctx))(router);
		},
		services: [...services, DeadLetterService],
	});
	return {
		rpcPort: rpc.port,
		opsPort: ops.port,
		close: () =>
			closeAll([
				() => rpc.close(),
				async () => stop.abort(),
				() => consumers.close(),
				() => Promise.all([...workers, ...upkeep].map((loop) => loop.done)),
				closeBus,
				() => sql.end({ timeout: 5 }),
				() => ops.close(),
			]),
	};
}

/** The events that this service follows, and what each group of them does. */
function groupsOf(ctx: CampaignsContext) {
	return [
		{
			group: "campaigns.outcomes",
			topics: [topics.messagingOutcome],
			concerns: isOfCampaign,
			apply: applyMessageOutcomes,
		},
		{
			group: "campaigns.accounts",
			topics: [topics.accountsChange],
			apply: async (sql: Tx, events: BusEvent[]) => {
				await wakeOnAccountChanges(sql, events);
				ctx.pokeCampaigns();
			},
		},
	];
}

interface Consumers {
	/** Settles once every group has its place. */
	readonly inPlace: Promise<unknown>;
	/** One that still waits for the bus is ended by the close of the bus. */
	close(): Promise<unknown>;
}

function startConsumers(
	ctx: CampaignsContext,
	bus: EventBus,
	metrics: Metrics,
	stopping: AbortSignal,
): Consumers {
	const { sql, log } = ctx;
	const subscribed = groupsOf(ctx).map((group) =>
		startConsumer({ ...group, sql, bus, log, metrics }).catch((error) => {
			if (!stopping.aborted)
				log.error({ err: error, group: group.group }, "events not consumed");
			return undefined;
		}),
	);
	return {
		inPlace: Promise.all(subscribed),
		close: () => Promise.all(subscribed.map(closeIfThere)),
	};
}

async function closeIfThere(
	subscribed: Promise<Subscription | undefined>,
): Promise<void> {
	const subscription = await Promise.race([subscribed, setImmediate()]);
	await subscription?.close();
}

function startWorkers(ctx: CampaignsContext, signal: AbortSignal): Loop[] {
	return Array.from({ length: CAMPAIGN_WORKERS }, () =>
		runLoop({
			name: "run-campaigns",
			intervalMs: CAMPAIGNS_INTERVAL_MS,
			signal,
			log: ctx.log,
			runOnce: (signal) => runDueCampaign(ctx, signal),
		}),
	);
}
