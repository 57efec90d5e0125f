import { setTimeout as delay } from "node:timers/promises";
import type {
	BusEvent,
	EventBus,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import type { Logger } from "@airtower/platform/runtime/log";
import { AccountChangeSchema } from "@airtower/proto/accounts/v1/events";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import type { KeyVerifier } from "../keys/key-verifier.ts";

/** Longest wait for a bus that cannot be reached; the gateway then starts without, ms. */
const SUBSCRIBE_WAIT_MS = 3_000;

/** Forgets keys that changed. Each gateway gets every change from now on; what it misses it forgets within seconds. */
export async function startAccountChanges(
	bus: EventBus,
	keys: KeyVerifier,
	log: Logger,
): Promise<Subscription> {
	const subscribed = bus.subscribe({
		group: "gateway.account-changes",
		topics: [topics.accountsChange],
		ephemeral: true,
		onBatch: async (events) => {
			for (const event of events) applyChange(event, keys, log);
		},
	});
	const subscription = pendingSubscription(subscribed, log);
	const waited = delay(SUBSCRIBE_WAIT_MS, undefined, { ref: false });
	await Promise.race([subscription.inPlace, waited]);
	return subscription;
}

function applyChange(event: BusEvent, keys: KeyVerifier, log: Logger): void {
	try {
		const { organizationId, change } = fromBinary(
			AccountChangeSchema,
			event.payload,
		);
		if (change.case === "apiKeyRevoked") keys.forget(change.value.apiKeyId);
		if (change.case === "organizationChanged") keys.forget(organizationId);
	} catch (error) {
		log.error({ err: error, eventId: event.id }, "unreadable account change");
		keys.forget(event.organizationId);
	}
}
