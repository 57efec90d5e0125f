import { randomUUID } from "node:crypto";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import type { Sql } from "postgres";

/** Publishes an outcome of organization "o" that no consumer can read; returns the event's id. */
export async function publishUnreadable(sql: Sql): Promise<string> {
	const eventId = randomUUID();
	await sql`
		insert into messaging.outbox (event_id, topic, type, key, organization_id, payload)
		values (${eventId}, ${topics.messagingOutcome}, 'delivered', 'k', 'o', 'no protobuf')
	`;
	return eventId;
}

/** Gives the dead letters of webhooks a payload that can be applied. */
export async function mendDeadLetters(sql: Sql): Promise<void> {
	const outcome = create(MessageOutcomeSchema, {
		messageId: randomUUID(),
		organizationId: randomUUID(),
		status: "delivered",
		occurredAt: timestampNow(),
	});
	await sql`
		update webhooks.dead_letters
		set payload = ${Buffer.from(toBinary(MessageOutcomeSchema, outcome))}
	`;
}
