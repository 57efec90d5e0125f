import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migration/migration-set";

export const migrations: readonly MigrationSet[] = [
	platformMigrations.inbox,
	platformMigrations.leases,
	platformMigrations.clock,
	platformMigrations.idempotency,
	platformMigrations.privacy,
	platformMigrations.audit,
	{ name: "webhooks", dir: new URL("../migrations/", import.meta.url) },
];
