import { describe, expect, it } from "vitest";
import { ConfigError } from "../runtime/config.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { silentLog } from "../testing/log.ts";
import { createEventBus } from "./create-event-bus.ts";

const common = {
	clientId: "test",
	log: silentLog,
	metrics: createMetrics("test"),
};

describe("createEventBus", () => {
	it("names the setting that a bus lacks", async () => {
		await expect(
			createEventBus({ ...common, kind: "postgres" }),
		).rejects.toThrow(
			new ConfigError(
				"BUS_DATABASE_URL is missing: EVENT_BUS=postgres needs the database of the event bus.",
			),
		);
		await expect(
			createEventBus({ ...common, kind: "kafka", brokers: [] }),
		).rejects.toThrow("KAFKA_BROKERS is missing");
	});

	it("opens Kafka without a broker at hand, and reports it unreachable", async () => {
		const brokers = ["127.0.0.1:1"];
		const bus = await createEventBus({ ...common, kind: "kafka", brokers });
		expect(await bus.health()).toBe("unreachable");
		await bus.close();
	});
});
