import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
import type { Clock } from "@airtower/platform/runtime/clock";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import { serveRpc } from "@airtower/platform/service/serve-rpc";
import type { ServiceOverrides } from "@airtower/platform/service/service-base";
import { backlogRoute } from "@airtower/platform/work/backlog-service";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { createCommonContext } from "./common-context.ts";
import type { Config } from "./config.ts";
import { type AccountsClient, createContext } from "./context.ts";
import { startDelivery } from "./delivery.ts";
import { createWorkNotifier } from "./dispatching/work-notice.ts";
import { startMeasuring } from "./jobs/index.ts";
import { keepPartitions } from "./jobs/keep-partitions.ts";
import { migrations } from "./migrations.ts";
import type { Operator } from "./operators/operator.ts";
import { parseSmppRoute } from "./operators/route/smpp-route.ts";
import { createSmppOperator } from "./operators/smpp-operator.ts";
import { rpcRoutes } from "./rpc/index.ts";
import { erasableTables } from "./store/personal-data.ts";

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
	const smppRoute = parseSmppRoute(config.SMPP_ROUTE_URL);
	return createService({
		...{ name: "messaging", config, migrations, overrides },
		role: config.DELIVERY === "here" ? "messaging-delivery" : "messaging",
		build: async (base) => {
			const { sql, log, metrics } = base;
			const operators = overrides.operators ?? [
				createSmppOperator(smppRoute, log),
			];
			const schema = config.DATABASE_SCHEMA;
			const common = createCommonContext({
				...{ sql, log, metrics },
				limits: toLimits(config),
				clock: overrides.clock,
			});
			await keepPartitions(common);
			const measuring = startMeasuring(common);
			const delivery =
				config.DELIVERY === "here"
					? await startDelivery(common, {
							...{ operators, metrics, schema },
							bus: await base.openBus(),
							random: overrides.random,
						})
					: undefined;
			const ctx = createContext(common, {
				accounts:
					overrides.accounts ??
					base.client(AccountsService, "accounts", config.ACCOUNTS_RPC_URL),
				route: operators[0].code,
				routes: operators,
				announceWork: delivery?.wake ?? createWorkNotifier(sql, schema, log),
			});
			return {
				front: await serveRpc(base, [
					...rpcRoutes(ctx),
					backlogRoute(ctx.telemetry.unsentAge),
					privacyRoute(sql, erasableTables),
				]),
				...(delivery && { stopBeside: delivery.close }),
				stop: [measuring.close],
			};
		},
	});
}

function toLimits(config: Config) {
	return {
		validityMs: config.MESSAGE_VALIDITY_S * 1_000,
		unknownWaitMs: config.UNKNOWN_WAIT_MS,
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
