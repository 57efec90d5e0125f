import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migrate";

export const migrations: readonly MigrationSet[] = [
	platformMigrations.inbox,
	platformMigrations.idempotency,
	{ name: "campaigns", dir: new URL("../migrations/", import.meta.url) },
];
