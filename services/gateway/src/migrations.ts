import type { MigrationSet } from "@airtower/platform/database/migrate";

export const migrations: readonly MigrationSet[] = [
	{ name: "gateway", dir: new URL("../migrations/", import.meta.url) },
];
