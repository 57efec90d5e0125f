import { connectDatabase } from "../../src/database/database.ts";
import { startRelay } from "../../src/events/outbox.ts";
import { createPostgresEventBus } from "../../src/events/postgres/event-bus.ts";
import { createMetrics } from "../../src/runtime/metrics.ts";
import { silentLog } from "../../src/testing/log.ts";

/** Relays as a process of its own: `node relay-process.ts <url> <schema> <bus schema>`. */
const [url = "", schema = "", busSchema = ""] = process.argv.slice(2);
startRelay({
	sql: connectDatabase({ url, schema, poolSize: 4, applicationName: schema }),
	bus: await createPostgresEventBus({
		databaseUrl: url,
		schema: busSchema,
		clientId: "relay",
		log: silentLog,
	}),
	log: silentLog,
	metrics: createMetrics("relay"),
	signal: new AbortController().signal,
});
process.stdout.write("started\n");
