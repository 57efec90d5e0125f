import type { Tx } from "@airtower/platform/database/database";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { messagingEvent } from "@airtower/proto/rules/messaging-event";
import { topics } from "@airtower/proto/rules/topics";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	type InsertedOptOut,
	insertOptOuts,
	type OptOutRow,
	type OptOutSource,
} from "../store/opt-outs/opt-outs.ts";

/** Lists numbers, with an event for each that is new; returns those, and those that WhatsApp alone had listed. */
export async function addOptOuts(
	sql: Tx,
	organizationId: string,
	source: OptOutSource,
	optOuts: readonly Pick<OptOutRow, "recipient" | "sender">[],
): Promise<InsertedOptOut[]> {
	const rows = optOuts.map((optOut) => ({ ...optOut, id: uuidv7() }));
	const inserted = await insertOptOuts(sql, organizationId, source, rows);
	const added = inserted.filter(({ isNew }) => isNew);
	await appendToOutbox(
		sql,
		added.map(({ recipient, sender, createdAt }) => {
			const occurredAt = timestampFromDate(createdAt);
			const value = { recipient, sender, source, occurredAt };
			const event = messagingEvent({
				eventKey: recipient,
				organizationId,
				occurredAt,
				kind: { case: "optedOut", value },
			});
			return { id: uuidv7(), topic: topics.messagingEvent, ...event };
		}),
	);
	return inserted;
}
