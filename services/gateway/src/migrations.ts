import type { MigrationSet } from "@airtower/platform/database/migration/migration-set";

export const migrations: readonly MigrationSet[] = [
	{ name: "gateway", dir: new URL("../migrations/", import.meta.url) },
];
