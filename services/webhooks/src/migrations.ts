import {
	type MigrationSet,
	platformMigrations,
} from "@airtower/platform/database/migrate";

/** The tables of this service. */
export const webhooksMigrations: readonly MigrationSet[] = [
	platformMigrations.inbox,
	platformMigrations.idempotency,
	{ name: "webhooks", dir: new URL("../migrations/", import.meta.url) },
];
