import { uuidv7 } from "@airtower/platform/runtime/ids";
import { testDatabase } from "@airtower/platform/testing/database";
import { identitySettings } from "@airtower/platform/testing/identities";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { expect, onTestFinished, test } from "vitest";
import { readCampaignsConfig } from "../src/config.ts";
import { startCampaigns } from "../src/service.ts";

/** Nobody listens there. */
const NOWHERE = "127.0.0.1:1";

test("the service starts, serves and stops while Kafka is away", async () => {
	const database = await testDatabase([]);
	onTestFinished(() => database.drop());
	const running = await startCampaigns(
		readCampaignsConfig({
			DATABASE_URL: database.url,
			DATABASE_SCHEMA: database.schema,
			RPC_PORT: "0",
			OPS_PORT: "0",
			...identitySettings("campaigns"),
			EVENT_BUS: "kafka",
			KAFKA_BROKERS: NOWHERE,
			LOG_LEVEL: "fatal",
			MESSAGING_RPC_URL: `http://${NOWHERE}`,
		}),
	);
	const campaigns = testRpcClient({
		service: CampaignsService,
		baseUrl: `http://127.0.0.1:${running.port}`,
		audience: "campaigns",
	});
	const response = await campaigns.listCampaigns({
		organizationId: uuidv7(),
		page: { limit: 1 },
	});
	expect(response.campaigns).toEqual([]);
	await running.close();
});
