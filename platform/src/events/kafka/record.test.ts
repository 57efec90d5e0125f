import type { IHeaders, KafkaMessage } from "kafkajs";
import { describe, expect, it } from "vitest";
import { isUuid } from "../../runtime/ids.ts";
import { testEvent } from "../../testing/event-bus.ts";
import { eventFromRecord, toRecord } from "./record.ts";

const partition = { topic: "test.topic", partition: 3 };

function foreign(
	offset: string,
	headers: IHeaders = { "event-id": "not a uuid" },
): KafkaMessage {
	return {
		key: null,
		value: null,
		timestamp: "0",
		attributes: 0,
		offset,
		headers,
	};
}

describe("a Kafka record", () => {
	it("carries the event's id, type, organization and trace in its headers", () => {
		const event = testEvent({ traceparent: "00-1-2-01" });
		expect(toRecord(event)).toEqual({
			key: event.key,
			value: event.payload,
			headers: {
				"event-id": event.id,
				"event-type": event.type,
				"organization-id": event.organizationId,
				traceparent: "00-1-2-01",
			},
		});
	});

	it("has the same ids whether they were written in small letters or in capitals", () => {
		const event = testEvent();
		const capitals = foreign("7", {
			"event-id": event.id.toUpperCase(),
			"organization-id": event.organizationId.toUpperCase(),
		});
		expect(eventFromRecord(partition, capitals)).toMatchObject({
			id: event.id,
			organizationId: event.organizationId,
		});
	});

	it("of another program gets an id from its partition and offset, the same on every delivery", () => {
		const first = eventFromRecord(partition, foreign("7"));
		expect(isUuid(first.id)).toBe(true);
		expect(eventFromRecord(partition, foreign("7"))).toEqual(first);
		expect(eventFromRecord(partition, foreign("8")).id).not.toBe(first.id);
		expect(first).toMatchObject({ type: "", key: "", organizationId: "" });
	});
});
