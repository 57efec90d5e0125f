import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migrate";

export const migrations: readonly MigrationSet[] = [
	platformMigrations.inbox,
	platformMigrations.idempotency,
	platformMigrations.privacy,
	{ name: "campaigns", dir: new URL("../migrations/", import.meta.url) },
];
