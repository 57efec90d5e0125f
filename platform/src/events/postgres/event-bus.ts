import {
	connectDatabase,
	type Db,
	type Queryable,
} from "../../database/database.ts";
import { listen } from "../../database/listen.ts";
import { migrate } from "../../database/migration/migrate.ts";
import { platformMigrations } from "../../database/migration/migration-set.ts";
import { postgresCode } from "../../database/sql-errors.ts";
import { isOutage } from "../../database/transient-error.ts";
import { ConfigError } from "../../runtime/config.ts";
import { closeAll } from "../../runtime/lifecycle.ts";
import type { Logger } from "../../runtime/log.ts";
import { runLoop } from "../../runtime/loop.ts";
import {
	assertPublishable,
	type BusEvent,
	type EventBus,
} from "../event-bus.ts";
import { eventColumns, eventTable } from "../event-rows.ts";
import { healthOf } from "../health.ts";
import {
	findPositions,
	type PostgresSubscription,
	subscribeInPostgres,
} from "./subscription.ts";

const DEFAULT_SCHEMA = "bus";
const POOL_SIZE = 4;
const DELETE_EVERY_MS = 15_000;
const ROUND_EVENTS = 10_000;
/** Events that every durable group has dealt with are kept so long for the ephemeral ones, ms. */
const KEPT_MS = 60_000;
/** Events of a topic without a durable group are kept so long for the first to come, ms. */
const UNCLAIMED_KEPT_MS = 24 * 3_600_000;

interface PostgresBusSettings {
	readonly databaseUrl: string;
	/** Default "bus", the same for all services. */
	readonly schema?: string;
	readonly clientId: string;
	readonly log: Logger;
}

/** The event bus inside PostgreSQL, for one machine. Makes its schema and tables. */
export async function createPostgresEventBus(
	settings: PostgresBusSettings,
): Promise<EventBus> {
	const { log } = settings;
	const subscriptions = new Set<PostgresSubscription>();
	const { sql, endListening } = await openDatabase(settings, subscriptions);
	const closing = new AbortController();
	const { signal } = closing;
	const deletion = runLoop({
		name: "event-bus.delete-old",
		intervalMs: DELETE_EVERY_MS,
		signal,
		log,
		runOnce: () => deleteOldEvents(sql, ROUND_EVENTS),
	});
	return {
		publish: async (events) => {
			assertPublishable(events);
			if (events.length === 0) return;
			await appendEvents(sql, events);
		},
		ensureTopics: async () => {},
		findPositions: (group, topics) => findPositions(sql, group, topics),
		subscribe: async (options) => {
			const subscription = await subscribeInPostgres(
				{ sql, log, signal },
				options,
			);
			subscriptions.add(subscription);
			return {
				close: async () => {
					subscriptions.delete(subscription);
					await subscription.close();
				},
			};
		},
		health: () => healthOf(async () => sql`select 1`),
		close: async () => {
			closing.abort();
			await closeAll([
				() => Promise.all([...subscriptions].map((one) => one.close())),
				() => deletion.done,
				endListening,
				() => sql.end({ timeout: 5 }),
			]);
		},
	};
}

/** Wakes the subscriptions whenever {@link appendEvents} notifies, in this process or another. */
async function openDatabase(
	settings: PostgresBusSettings,
	subscriptions: ReadonlySet<PostgresSubscription>,
): Promise<{ sql: Db; endListening: () => Promise<void> }> {
	const schema = settings.schema ?? DEFAULT_SCHEMA;
	const sql = connectDatabase({
		url: settings.databaseUrl,
		schema,
		poolSize: POOL_SIZE,
		applicationName: `${settings.clientId}-bus`,
	});
	try {
		await ensureSchema(sql, schema);
		await migrate(sql, [platformMigrations.bus, platformMigrations.singletons]);
		const endListening = await listen(
			sql,
			schema,
			(topic) => {
				for (const one of subscriptions) if (one.topics.has(topic)) one.wake();
			},
			() => {
				for (const one of subscriptions) one.wake();
			},
		);
		return { sql, endListening };
	} catch (error) {
		await sql.end({ timeout: 1 });
		if (!isOutage(error)) throw error;
		throw new ConfigError(
			`The database of BUS_DATABASE_URL cannot be reached (${(error as Error).message}); start it, or correct the setting.`,
			{ cause: error },
		);
	}
}

/** A role that may not create schemas finds one that an admin made. */
async function ensureSchema(sql: Db, schema: string): Promise<void> {
	const [row] = await sql<{ exists: boolean }[]>`
		select to_regnamespace(${schema}) is not null as exists
	`;
	if (row?.exists === true) return;
	try {
		await sql`create schema if not exists ${sql(schema)}`;
	} catch (error) {
		const wasMadeMeanwhile = ["23505", "42P06"];
		if (!wasMadeMeanwhile.includes(postgresCode(error) ?? "")) throw error;
	}
}

/**
 * One publisher at a time: a reader that has seen a position finds nothing new below it. One statement, so that a
 * publisher that stands still keeps no lock. The channel that is notified of each topic has the schema's name.
 */
export async function appendEvents(
	sql: Db,
	events: readonly BusEvent[],
): Promise<void> {
	await sql`
		with order_lock as materialized (
			select pg_advisory_xact_lock(hashtext(current_schema()), hashtext('bus.log'))
		),
		appended as (
			insert into events (${eventColumns(sql)})
			select ${eventColumns(sql)}
			from order_lock
			cross join ${eventTable(sql, events)}
			order by ordinal
			returning topic
		)
		select pg_notify(current_schema(), topic)
		from appended
		group by topic
	`;
}

export async function deleteOldEvents(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const rows = await sql`
		with followed as (
			select topic, min(position) as position
			from group_positions
			group by topic
		)
		delete from events
		where ctid = any(array(
			select events.ctid
			from events
			left join followed using (topic)
			where case
				when followed.topic is null
				then published_at < ${ago(sql, UNCLAIMED_KEPT_MS)}
				else events.position <= followed.position and published_at < ${ago(sql, KEPT_MS)}
			end
			order by events.position
			limit ${limit}
			for update of events skip locked
		))
	`;
	return rows.count;
}

function ago(sql: Queryable, ms: number) {
	return sql`now() - ${ms} * interval '1 millisecond'`;
}
