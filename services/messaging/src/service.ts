import { deadLetterRoute } from "@airtower/platform/events/dead-letter-service";
import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
import { secretsRoute } from "@airtower/platform/resealing/secrets-service";
import type { Clock } from "@airtower/platform/runtime/clock";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import { serveRpc } from "@airtower/platform/service/serve-rpc";
import type { ServiceOverrides } from "@airtower/platform/service/service-base";
import { backlogRoute } from "@airtower/platform/work/backlog-service";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { Config } from "./config.ts";
import { consumerGroups } from "./consumers/index.ts";
import {
	type AccountsClient,
	createCommonContext,
	createContext,
} from "./context.ts";
import { startDelivery, startFollowing } from "./delivery.ts";
import { createWorkNotifier } from "./dispatching/work-notice.ts";
import { takingRoutes } from "./domain/routing/route-table.ts";
import { startMeasuring, startReplying } from "./jobs/index.ts";
import { keepPartitions } from "./jobs/keep-partitions.ts";
import { migrations } from "./migrations.ts";
import { toEgress } from "./operators/http/egress.ts";
import { openOperator } from "./operators/open-operator.ts";
import type { Operator, RouteName } from "./operators/operator.ts";
import { parseSmppRoute } from "./operators/route/smpp-route.ts";
import { fixedRoutes } from "./routes/routes.ts";
import { openRouting } from "./routes/routing.ts";
import { openRoutes } from "./routes/stored-routes.ts";
import { rpcRoutes } from "./rpc/index.ts";
import { erasableTables } from "./store/personal-data.ts";
import { sealedColumns } from "./store/sealed-columns.ts";

export interface Overrides extends ServiceOverrides {
	readonly clock?: Clock;
	readonly random?: () => number;
	/** The first one takes new messages. */
	readonly operators?: readonly [Operator, ...Operator[]];
	readonly accounts?: AccountsClient;
}

/** When it is closed it takes no more work, waits for the operators' responses and records them. */
export async function startMessaging(
	config: Config,
	overrides: Overrides = {},
): Promise<RunningService> {
	const seed = parseSmppRoute(config.SMPP_ROUTE_URL);
	return createService({
		name: "messaging",
		config,
		migrations,
		overrides,
		role: config.MESSAGING_ROLE === "all" ? "messaging-delivery" : "messaging",
		build: async (base) => {
			const { sql, log, metrics } = base;
			const schema = config.DATABASE_SCHEMA;
			const common = createCommonContext({
				sql,
				log,
				metrics,
				limits: toLimits(config),
				clock: overrides.clock,
			});
			const { ENCRYPTION_KEYS: ring, SMPP_ROUTE_URL: seedUrl } = config;
			const { operators } = overrides;
			const egress = toEgress(config);
			const routes = await openRouting(
				sql,
				operators
					? fixedRoutes(operators.map((one) => ({ ...seed, ...nameOf(one) })))
					: await openRoutes({ sql, log, ring, seedUrl }),
			);
			await keepPartitions(common);
			const accounts =
				overrides.accounts ??
				base.client(AccountsService, "accounts", config.ACCOUNTS_RPC_URL);
			const measuring = startMeasuring({ ...common, accounts });
			const delivery =
				config.MESSAGING_ROLE === "all"
					? await startDelivery(common, {
							routes,
							tests: ring && { ring, egress },
							openRoute: (route) =>
								operators?.find(({ code }) => code === route.code) ??
								openOperator(route, log, egress),
							metrics,
							schema,
							bus: await base.openBus(),
							random: overrides.random,
						})
					: startFollowing(common, routes);
			const ctx = createContext(common, {
				accounts,
				routes,
				ring,
				receiptIntake: delivery.receiptIntake,
				inboundIntake: delivery.inboundIntake,
				announceWork: delivery.wake ?? createWorkNotifier(sql, schema, log),
			});
			const replying =
				config.MESSAGING_ROLE === "all" ? [startReplying(ctx).close] : [];
			return {
				server: await serveRpc(
					base,
					[
						...rpcRoutes(ctx),
						backlogRoute(ctx.telemetry.unsentAge),
						deadLetterRoute(sql, consumerGroups),
						privacyRoute(sql, erasableTables),
						secretsRoute(sql, ring, sealedColumns),
					],
					{
						tables: ["messages", "dispatch"],
						mayStore: () => takingRoutes(routes.table()).size > 0,
					},
				),
				stopBeside: delivery.close,
				stop: [...replying, measuring.close],
			};
		},
	});
}

function nameOf({ code, account }: RouteName): RouteName {
	return { code, account };
}

function toLimits(config: Config) {
	return {
		validityMs: config.MESSAGE_VALIDITY_S * 1_000,
		unknownWaitMs: config.UNKNOWN_WAIT_S * 1_000,
		unknownPolicy: config.UNKNOWN_POLICY,
		unknownDeadlineMs: toMs(config.UNKNOWN_DEADLINE_S),
		noReceiptMs: config.NO_RECEIPT_AFTER_S * 1_000,
		leaseMs: config.DISPATCH_LEASE_MS,
		bodyDays: config.BODY_RETENTION_DAYS,
		recordMonths: config.RECORD_RETENTION_MONTHS,
	};
}

function toMs(seconds: number | undefined): number | null {
	return seconds === undefined ? null : seconds * 1_000;
}
