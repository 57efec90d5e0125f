import { type CallbackBody, type Receiver, startReceiver } from "./receiver.ts";

interface ReceivedEvent {
	readonly id: string;
	readonly messageId: string;
	readonly clientReference: string | null;
	readonly status: string;
	/** Distinct raw bodies that came under the id: one, however often it came. */
	readonly bodies: Set<string>;
	/** Unix milliseconds. */
	readonly firstAt: number;
	times: number;
}

/** A receiver that remembers every callback. */
export interface CallbackLog extends Receiver {
	/** Events by their id. */
	eventsAt(path: string): ReadonlyMap<string, ReceivedEvent>;
	/** Distinct events at the path of each message that has one. */
	eventsByMessage(path: string): ReadonlyMap<string, readonly ReceivedEvent[]>;
}

/** Listens on a free port of an address, 127.0.0.1 when absent. */
export async function startCallbackLog(host?: string): Promise<CallbackLog> {
	const events = new Map<string, Map<string, ReceivedEvent>>();
	const eventsAt = (path: string) =>
		events.getOrInsertComputed(path, () => new Map<string, ReceivedEvent>());
	const receiver = await startReceiver({
		host,
		onCallback: ({ path, body, receivedAt }) => {
			if (body !== "") note(eventsAt(path), body, receivedAt);
		},
	});
	return {
		...receiver,
		eventsAt,
		eventsByMessage: (path) =>
			Map.groupBy(eventsAt(path).values(), ({ messageId }) => messageId),
	};
}

function note(
	events: Map<string, ReceivedEvent>,
	body: string,
	receivedAt: number,
): void {
	const { id, data } = JSON.parse(body) as CallbackBody;
	const event = events.get(id) ?? {
		id,
		messageId: data.message_id,
		clientReference: data.client_reference,
		status: data.status,
		bodies: new Set(),
		firstAt: receivedAt,
		times: 0,
	};
	event.bodies.add(body);
	event.times++;
	events.set(id, event);
}
