import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migrate";

/** All tables of the service. */
export const migrations: readonly MigrationSet[] = [
	platformMigrations.outbox,
	platformMigrations.idempotency,
	platformMigrations.leases,
	{ name: "whatsapp", dir: new URL("../migrations/", import.meta.url) },
];
