import { randomBytes, randomUUID } from "node:crypto";
import type { BusEvent, EventBus } from "../events/event-bus.ts";
import { createPostgresEventBus } from "../events/postgres/event-bus.ts";
import { adminUrl, asAdmin } from "./database.ts";
import { silentLog } from "./log.ts";

export interface TestEventBus {
	readonly bus: EventBus;
	connect(): Promise<EventBus>;
	drop(): Promise<void>;
}

export async function testEventBus(): Promise<TestEventBus> {
	const schema = `test_bus_${randomBytes(6).toString("hex")}`;
	const settings = {
		databaseUrl: adminUrl(),
		schema,
		clientId: schema,
		log: silentLog,
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
			await asAdmin((sql) => sql`drop schema ${sql(schema)} cascade`);
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
