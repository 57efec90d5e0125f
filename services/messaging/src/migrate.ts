import { runMigrations } from "@airtower/platform/database/migration/migration-job";
import { migrations } from "./migrations.ts";

await runMigrations("messaging", migrations);
