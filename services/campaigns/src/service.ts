import { startConsumer } from "@airtower/platform/events/consumer";
import { deadLetterRoute } from "@airtower/platform/events/dead-letter-service";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
import { systemClock } from "@airtower/platform/runtime/clock";
import { createJobs } from "@airtower/platform/runtime/jobs";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import { serveRpc } from "@airtower/platform/service/serve-rpc";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { Config } from "./config.ts";
import { consumerGroups } from "./consumers/index.ts";
import { startJobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { rpcRoutes } from "./rpc/index.ts";
import { erasableTables } from "./store/personal-data.ts";
import { createTelemetry } from "./telemetry.ts";

/** A list has no more recipients. */
const MAX_PREVIEWED = 100_000;

/** It does not wait for the bus, which keeps for a new group what is published before. */
export function startCampaigns(config: Config): Promise<RunningService> {
	return createService({
		name: "campaigns",
		config,
		migrations,
		build: async (base) => {
			const { sql, log, metrics } = base;
			const bus = await base.openBus();
			const jobs = createJobs(log);
			const url = config.MESSAGING_RPC_URL;
			const messaging = base.client(MessagingService, "messaging", url);
			const telemetry = createTelemetry(metrics);
			const ctx = {
				sql,
				log,
				telemetry,
				clock: systemClock,
				messaging,
				bounds: {
					contacts: config.MAX_CONTACTS,
					openCampaigns: config.MAX_OPEN_CAMPAIGNS,
					previewed: MAX_PREVIEWED,
				},
				retention: {
					bodyDays: config.BODY_RETENTION_DAYS,
					recordMonths: config.RECORD_RETENTION_MONTHS,
				},
			};
			const wakeCampaigns = startJobs(ctx, jobs);
			const groups = consumerGroups(
				wakeCampaigns,
				config.CAMPAIGN_QUOTA_SHARE_PERCENT,
			);
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
						...rpcRoutes(ctx, wakeCampaigns),
						deadLetterRoute(sql, groups),
						privacyRoute(sql, erasableTables),
					],
					{ tables: ["campaigns", "recipients"] },
				),
				stop: [...consumers.map(({ close }) => close), jobs.close],
			};
		},
	});
}
