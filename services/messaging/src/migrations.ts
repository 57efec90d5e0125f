import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migration/migration-set";

/** The tables of this service. */
export const migrations: readonly MigrationSet[] = [
	platformMigrations.outbox,
	platformMigrations.singletons,
	platformMigrations.scans,
	platformMigrations.inbox,
	platformMigrations.idempotency,
	platformMigrations.leases,
	platformMigrations.clock,
	platformMigrations.privacy,
	platformMigrations.audit,
	{ name: "messaging", dir: new URL("../migrations/", import.meta.url) },
];
