import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../runtime/config.ts";
import type { Logger } from "../runtime/log.ts";
import { isOutage } from "../runtime/transient-error.ts";
import type { Db } from "./database.ts";
import { type MigrationSet, migrate } from "./migrate.ts";

/** Longer than a restart of the database or its move to a standby usually takes, ms. */
const PATIENCE_MS = 60_000;
const TRY_EVERY_MS = 2_000;

/** Migrates, and waits `patienceMs` (default a minute) for a database that is away, then throws ConfigError. */
export async function migrateAtStart(
	sql: Db,
	sets: readonly MigrationSet[],
	log: Logger,
	patienceMs = PATIENCE_MS,
): Promise<void> {
	const deadline = performance.now() + patienceMs;
	for (;;) {
		try {
			await migrate(sql, sets);
			return;
		} catch (error) {
			if (!isOutage(error)) throw error;
			if (performance.now() > deadline) throw awayError(error);
			log.warn({ err: error }, "the database is away; waiting for it");
			await delay(TRY_EVERY_MS);
		}
	}
}

function awayError(cause: unknown): ConfigError {
	const reason = cause instanceof Error ? cause.message : String(cause);
	return new ConfigError(
		`The database of DATABASE_URL cannot be reached (${reason}); start it, or correct the setting.`,
		{ cause },
	);
}
