import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migration/migration-set";

export const migrations: readonly MigrationSet[] = [
	platformMigrations.outbox,
	platformMigrations.inbox,
	platformMigrations.singletons,
	platformMigrations.scans,
	platformMigrations.idempotency,
	platformMigrations.audit,
	platformMigrations.privacy,
	{ name: "accounts", dir: new URL("../migrations/", import.meta.url) },
];
