import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { CallbackBody } from "../../receiver.ts";
import { type Behaviour, behave } from "./receiver-behaviour.ts";

export interface ReceivedEvent {
	readonly id: string;
	readonly messageId: string;
	readonly status: string;
	/** Distinct raw bodies that came under the id: one, however often it came. */
	readonly bodies: Set<string>;
	readonly firstAt: number;
	times: number;
}

/** Customers' endpoints, one for each path, which remember every callback. */
export interface ChaosReceiver {
	readonly url: string;
	/** Events by their id. */
	eventsAt(path: string): ReadonlyMap<string, ReceivedEvent>;
	/** From now on this is what becomes of callbacks to the path; they are remembered all the same. */
	behave(path: string, behaviour: Behaviour): void;
	/** Bytes that a path has sent. */
	bytesSentBy(path: string): number;
	close(): Promise<void>;
}

export async function openReceiver(host = "127.0.0.1"): Promise<ChaosReceiver> {
	const events = new Map<string, Map<string, ReceivedEvent>>();
	const behaviours = new Map<string, Behaviour>();
	const bytes = new Map<string, number>();
	const server = createServer(async (request, response) => {
		const path = request.url ?? "/";
		const body = await text(request).catch(() => undefined);
		if (body === undefined) return response.destroy();
		if (body !== "") note(eventsAt(path), body);
		const count = (sent: number) =>
			bytes.set(path, (bytes.get(path) ?? 0) + sent);
		await behave(response, behaviours.get(path) ?? "accept", count);
	});
	function eventsAt(path: string): Map<string, ReceivedEvent> {
		const found = events.get(path) ?? new Map<string, ReceivedEvent>();
		events.set(path, found);
		return found;
	}
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(0, host, resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://${host}:${port}`,
		eventsAt,
		behave: (path, behaviour) => behaviours.set(path, behaviour),
		bytesSentBy: (path) => bytes.get(path) ?? 0,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function note(events: Map<string, ReceivedEvent>, body: string): void {
	const { id, data } = JSON.parse(body) as CallbackBody;
	const event = events.get(id) ?? {
		id,
		messageId: data.message_id,
		status: data.status,
		bodies: new Set(),
		firstAt: Date.now(),
		times: 0,
	};
	event.bodies.add(body);
	event.times++;
	events.set(id, event);
}
