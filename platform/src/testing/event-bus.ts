import { randomBytes, randomUUID } from "node:crypto";
import { connectDatabase } from "../database/database.ts";
import type { BusEvent, EventBus } from "../events/event-bus.ts";
import { createPostgresEventBus } from "../events/postgres/event-bus.ts";
import { adminUrl } from "./database.ts";
import { silentLog } from "./log.ts";

export interface TestEventBus {
	readonly bus: EventBus;
	connect(): Promise<EventBus>;
	drop(): Promise<void>;
}

/** An event bus of the test's own, in a fresh schema of the tests' PostgreSQL. */
export async function testEventBus(): Promise<TestEventBus> {
	const schema = `test_bus_${randomBytes(6).toString("hex")}`;
	const settings = {
		...{ databaseUrl: adminUrl(), schema },
		...{ clientId: schema, log: silentLog },
	};
	const opened: EventBus[] = [];
	const connect = async () => {
		const bus = await createPostgresEventBus(settings);
		opened.push(bus);
		return bus;
	};
	return {
		bus: await connect(),
		connect,
		drop: async () => {
			await Promise.all(opened.map((bus) => bus.close()));
			const sql = connectDatabase({
				...{ url: adminUrl(), schema, poolSize: 1, applicationName: schema },
			});
			await sql`drop schema ${sql(schema)} cascade`;
			await sql.end();
		},
	};
}

export function testEvent(fields: Partial<BusEvent> = {}): BusEvent {
	return {
		id: randomUUID(),
		topic: "test.topic",
		type: "test",
		key: "key",
		organizationId: randomUUID(),
		payload: Buffer.from("payload"),
		...fields,
	};
}
