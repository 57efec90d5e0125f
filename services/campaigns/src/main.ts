import { runMain } from "@airtower/platform/runtime/lifecycle";
import { readCampaignsConfig } from "./config.ts";
import { startCampaigns } from "./service.ts";

await runMain("campaigns", (env) => startCampaigns(readCampaignsConfig(env)));
