import { runMain } from "@airtower/platform/runtime/lifecycle";
import { readWebhooksConfig } from "./config.ts";
import { startWebhooks } from "./service.ts";

await runMain("webhooks", (env) => startWebhooks(readWebhooksConfig(env)));
