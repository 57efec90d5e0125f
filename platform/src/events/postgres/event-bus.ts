import { closeAll } from "../../runtime/lifecycle.ts";
import { runLoop } from "../../runtime/loop.ts";
import {
	assertPublishable,
	type BusEvent,
	type EventBus,
} from "../event-bus.ts";
import { healthOf } from "../health.ts";
import { appendEvents, deleteOldEvents } from "./log.ts";
import { openDatabase, type PostgresBusSettings } from "./open-database.ts";
import {
	type PostgresSubscription,
	subscribeInPostgres,
} from "./subscription.ts";

const DELETE_EVERY_MS = 15_000;
const ROUND_EVENTS = 10_000;

/** The event bus inside PostgreSQL, for one machine. Makes its schema and tables. */
export async function createPostgresEventBus(
	settings: PostgresBusSettings,
): Promise<EventBus> {
	const { log } = settings;
	const sql = await openDatabase(settings);
	const closing = new AbortController();
	const { signal } = closing;
	const subscriptions = new Set<PostgresSubscription>();
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
			wakeAll(subscriptions, events);
		},
		ensureTopics: async () => {},
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
				() => sql.end({ timeout: 5 }),
			]);
		},
	};
}

function wakeAll(
	subscriptions: ReadonlySet<PostgresSubscription>,
	events: readonly BusEvent[],
): void {
	for (const subscription of subscriptions) {
		if (events.some(({ topic }) => subscription.topics.has(topic)))
			subscription.wake();
	}
}
