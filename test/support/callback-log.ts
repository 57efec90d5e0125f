import {
	type CallbackBody,
	type Receiver,
	startReceiver,
} from "@airtower/dev/receiver";

export interface CallbackLog {
	readonly receiver: Receiver;
	/** Callbacks received, repeats included. */
	readonly total: () => number;
	/** Distinct event ids by message id. */
	readonly eventsByMessage: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A customer's receiver that keeps the events of each message. */
export async function startCallbackLog(): Promise<CallbackLog> {
	const eventsByMessage = new Map<string, Set<string>>();
	let total = 0;
	const receiver = await startReceiver({
		onCallback: ({ body }) => {
			const event = JSON.parse(body) as CallbackBody;
			total++;
			const events = eventsByMessage.get(event.data.message_id) ?? new Set();
			eventsByMessage.set(event.data.message_id, events.add(event.id));
		},
	});
	return { receiver, total: () => total, eventsByMessage };
}
