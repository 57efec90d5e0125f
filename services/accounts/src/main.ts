import { runMain } from "@airtower/platform/lifecycle";
import { readAccountsConfig } from "./config.ts";
import { startAccounts } from "./service.ts";

await runMain("accounts", (env) => startAccounts(readAccountsConfig(env)));
