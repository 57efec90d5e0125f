import { setImmediate } from "node:timers/promises";
import type { Logger } from "../runtime/log.ts";
import type { Subscription } from "./event-bus.ts";

interface PendingSubscription extends Subscription {
	readonly inPlace: Promise<void>;
}

/** A subscription for a service that does not wait for its bus. */
export function pendingSubscription(
	subscribed: Promise<Subscription>,
	log: Logger,
): PendingSubscription {
	let isClosed = false;
	const settled = subscribed.catch((err: unknown) => {
		if (!isClosed) log.error({ err }, "events not consumed");
		return undefined;
	});
	return {
		inPlace: settled.then(() => undefined),
		close: async () => {
			isClosed = true;
			const subscription = await Promise.race([settled, setImmediate()]);
			await subscription?.close();
		},
	};
}
