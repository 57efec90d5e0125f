import type { MigrationSet } from "@airtower/platform/database/migrate";

/** The gateway's tables: rate windows, nothing else. */
export const migrations: readonly MigrationSet[] = [
	{ name: "gateway", dir: new URL("../migrations/", import.meta.url) },
];
