import { runMigrations } from "@airtower/platform/runtime/migration-job";
import { migrations } from "./migrations.ts";

await runMigrations("gateway", migrations);
