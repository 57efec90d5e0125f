import { runMain } from "@airtower/platform/runtime/lifecycle";
import { readAccountsConfig } from "./config.ts";
import { startAccounts } from "./service.ts";

await runMain("accounts", (env) => startAccounts(readAccountsConfig(env)));
