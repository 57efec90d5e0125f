import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migration/migration-set";

export const migrations: readonly MigrationSet[] = [
	platformMigrations.outbox,
	platformMigrations.singletons,
	platformMigrations.idempotency,
	platformMigrations.leases,
	platformMigrations.clock,
	platformMigrations.privacy,
	platformMigrations.audit,
	{ name: "whatsapp", dir: new URL("../migrations/", import.meta.url) },
];
