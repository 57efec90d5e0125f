import { connectDatabase } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migrate-at-start";
import {
	openServiceBus,
	type ServiceBus,
} from "@airtower/platform/events/create-event-bus";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { createTokenSigner } from "@airtower/platform/rpc/caller-token";
import { createRpcClient } from "@airtower/platform/rpc/client";
import { type RpcTls, readRpcTls } from "@airtower/platform/rpc/tls";
import type { Clock } from "@airtower/platform/runtime/clock";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger, type Logger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { startServers } from "@airtower/platform/runtime/service-servers";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { MessagingConfig } from "./config.ts";
import {
	type AccountsClient,
	type CommonContext,
	createCommonContext,
	createContext,
} from "./context.ts";
import {
	type DeliveryParts,
	type RunningDelivery,
	startDelivery,
} from "./delivery.ts";
import { createWorkNotifier } from "./dispatching/work-notice.ts";
import { keepPartitions } from "./jobs/create-partitions.ts";
import { messagingMigrations } from "./migrations.ts";
import type { Operator } from "./operators/operator.ts";
import { createSmppOperator } from "./operators/smpp-operator.ts";
import { parseSmppRoute } from "./operators/smpp-route.ts";
import { messagingServices, routeMessaging } from "./rpc/index.ts";

/** Name of the service among the others. */
const SERVICE = "messaging";

/** The test seam. */
export interface MessagingOverrides {
	readonly clock?: Clock;
	/** In [0, 1). */
	readonly random?: () => number;
	/** The first one takes new messages. */
	readonly operators?: readonly [Operator, ...Operator[]];
	readonly accounts?: AccountsClient;
	readonly log?: Logger;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface RunningMessaging {
	readonly rpcPort: number;
	readonly opsPort: number;
	/** Takes no more work, waits for the operators' answers, records them, then closes everything. */
	close(): Promise<void>;
}

/** Starts the service: tables, delivery unless others see to it, RPC, in this order. */
export async function startMessaging(
	config: MessagingConfig,
	overrides: MessagingOverrides = {},
): Promise<RunningMessaging> {
	const log =
		overrides.log ??
		createLogger({ service: SERVICE, level: config.LOG_LEVEL });
	const metrics = createMetrics(SERVICE);
	const tls = await readRpcTls(config);
	const operators = overrides.operators ?? [
		createSmppOperator(parseSmppRoute(config.SMPP_ROUTE_URL), log),
	];
	const schema = config.DATABASE_SCHEMA;
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: SERVICE,
	});
	await migrateAtStart(sql, messagingMigrations, log);
	const common = createCommonContext({
		sql,
		log,
		metrics,
		limits: limitsOf(config),
		clock: overrides.clock,
	});
	await keepPartitions(common);
	const delivery =
		config.DELIVERY === "here"
			? await deliver(common, {
					operators,
					metrics,
					schema,
					random: overrides.random,
					openBus: () =>
						openServiceBus(SERVICE, config, {
							log,
							metrics,
							given: overrides.bus,
						}),
				})
			: undefined;
	const ctx = createContext(common, {
		accounts: overrides.accounts ?? accountsClient(config, tls),
		route: operators[0].code,
		routes: operators,
		announceWork: delivery?.wake ?? createWorkNotifier(sql, schema, log),
	});
	const { rpc, ops } = await startServers(SERVICE, config, {
		sql,
		log,
		metrics,
		tls,
		routes: (router) => routeMessaging(router, ctx),
		services: messagingServices,
	});
	return {
		rpcPort: rpc.port,
		opsPort: ops.port,
		close: () =>
			closeAll([
				() => rpc.close(),
				async () => delivery?.close(),
				() => ops.close(),
				() => sql.end({ timeout: 1 }),
			]),
	};
}

interface DeliverySettings extends Omit<DeliveryParts, "bus"> {
	readonly openBus: () => Promise<ServiceBus>;
}

/** Delivery with the event bus that carries its outcomes; a process that delivers nothing opens none. */
async function deliver(
	common: CommonContext,
	{ openBus, ...parts }: DeliverySettings,
): Promise<RunningDelivery> {
	const { bus, close } = await openBus();
	const delivery = await startDelivery(common, { ...parts, bus });
	return {
		...delivery,
		close: () => closeAll([() => delivery.close(), close]),
	};
}

function accountsClient(
	config: MessagingConfig,
	tls: RpcTls | undefined,
): AccountsClient {
	return createRpcClient({
		service: AccountsService,
		baseUrl: config.ACCOUNTS_RPC_URL,
		signer: createTokenSigner({
			ring: config.CALLER_TOKEN_KEYS,
			issuer: SERVICE,
		}),
		audience: "accounts",
		tls,
	});
}

function limitsOf(config: MessagingConfig) {
	return {
		validityMs: config.MESSAGE_VALIDITY_S * 1_000,
		unknownWaitMs: config.UNKNOWN_WAIT_MS,
		unknownPolicy: config.UNKNOWN_POLICY,
		leaseMs: config.DISPATCH_LEASE_MS,
	};
}
