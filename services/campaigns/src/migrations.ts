import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migration/migration-set";

export const migrations: readonly MigrationSet[] = [
	platformMigrations.inbox,
	platformMigrations.idempotency,
	platformMigrations.clock,
	platformMigrations.privacy,
	platformMigrations.audit,
	{ name: "campaigns", dir: new URL("../migrations/", import.meta.url) },
];
