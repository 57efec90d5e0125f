import type { Tx } from "@airtower/platform/database/database";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { topics } from "@airtower/proto/rules/topics";
import { whatsappEvent } from "@airtower/proto/rules/whatsapp-event";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	type MarketingPreference,
	newestPreferences,
} from "./domain/marketing-preference.ts";
import { putPreferences } from "./store/marketing-preferences.ts";

/** Keeps what users said of marketing messages, and an event of each that changed; returns how many did. */
export async function recordPreferences(
	sql: Tx,
	preferences: readonly MarketingPreference[],
): Promise<number> {
	const changed = await putPreferences(sql, newestPreferences(preferences));
	await appendToOutbox(
		sql,
		changed.map(({ organizationId, recipient, phone, isStopped, at }) => ({
			id: uuidv7(),
			topic: topics.whatsappEvent,
			...whatsappEvent({
				eventKey: recipient,
				organizationId,
				occurredAt: timestampFromDate(at),
				kind: {
					case: "marketingPreference",
					value: { recipient, sender: phone.replace("+", ""), isStopped },
				},
			}),
		})),
	);
	return changed.length;
}
