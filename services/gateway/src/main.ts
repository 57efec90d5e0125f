import { runMain } from "@airtower/platform/runtime/lifecycle";
import { readGatewayConfig } from "./config.ts";
import { startGateway } from "./service.ts";

await runMain("gateway", (env) => startGateway(readGatewayConfig(env)));
