import { runMain } from "@airtower/platform/runtime/lifecycle";
import { readMessagingConfig } from "./config.ts";
import { startMessaging } from "./service.ts";

await runMain("messaging", (env) => startMessaging(readMessagingConfig(env)));
