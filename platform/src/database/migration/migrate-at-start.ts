import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../../runtime/config.ts";
import { createRepeatedTrouble, type Logger } from "../../runtime/log.ts";
import type { Db } from "../database.ts";
import { isUntrusted } from "../database-tls.ts";
import { refuseTransactionPooler } from "../refuse-pooler.ts";
import { isOutage } from "../transient-error.ts";
import { findMissing, migrate } from "./migrate.ts";
import type { MigrationSet } from "./migration-set.ts";

/** Longer than a restart of the database or its move to a standby usually takes, ms. */
const PATIENCE_MS = 60_000;
const TRY_EVERY_MS = 2_000;

/** Migrates, and waits `patienceMs` (default a minute) for a database that is away, then throws ConfigError. */
export function migrateAtStart(
	sql: Db,
	sets: readonly MigrationSet[],
	log: Logger,
	patienceMs = PATIENCE_MS,
): Promise<void> {
	return withPatience(sql, log, patienceMs, async () => {
		await migrate(sql, sets);
		return undefined;
	});
}

/**
 * Waits until others have applied the migrations, for a role that may not. Throws ConfigError, which names what is
 * missing, after `patienceMs` (default a minute).
 */
export function awaitMigrations(
	sql: Db,
	sets: readonly MigrationSet[],
	log: Logger,
	patienceMs = PATIENCE_MS,
): Promise<void> {
	return withPatience(sql, log, patienceMs, async () => {
		const [missing] = await findMissing(sql, sets);
		if (missing === undefined) return undefined;
		const remedy =
			"run the service's src/migrate.ts as the schema's owner, or set MIGRATIONS=at_start.";
		return new ConfigError(`Migration ${missing} is not applied; ${remedy}`);
	});
}

/** Tries again while the step says what it still lacks, or the database is away. */
async function withPatience(
	sql: Db,
	log: Logger,
	patienceMs: number,
	step: () => Promise<ConfigError | undefined>,
): Promise<void> {
	const checked = async () => {
		await refuseTransactionPooler(sql);
		return step();
	};
	const trouble = createRepeatedTrouble(log);
	const deadline = performance.now() + patienceMs;
	for (;;) {
		const obstacle = await checked().catch(toObstacle);
		if (obstacle === undefined) return;
		if (performance.now() > deadline) throw obstacle;
		trouble.tell(
			"warn",
			{ err: obstacle },
			"the database is not ready; waiting for it",
		);
		await delay(TRY_EVERY_MS);
	}
}

function toObstacle(error: unknown): ConfigError {
	if (isUntrusted(error)) throw untrustedError(error);
	if (isOutage(error)) return awayError(error);
	throw error;
}

function untrustedError({ message }: Error): ConfigError {
	return new ConfigError(
		`The database of DATABASE_URL is not who sslmode=verify-full asks for (${message}).`,
	);
}

function awayError(cause: unknown): ConfigError {
	const reason = cause instanceof Error ? cause.message : String(cause);
	return new ConfigError(
		`The database of DATABASE_URL cannot be reached (${reason}); start it, or correct the setting.`,
		{ cause },
	);
}
