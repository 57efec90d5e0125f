import { createBatcher } from "@airtower/platform/work/micro-batcher";
import { RefusalError } from "../errors.ts";
import type { Telemetry } from "../telemetry.ts";

/** Messages of concurrent requests on their way into calls of a service. */
export interface SendQueue<M, R> {
	/**
	 * Settles with the message's own result, or rejects with the whole call that carried it. Rejects with
	 * service_unavailable, and no service has had the message, when too many wait already, when it has waited
	 * too long, or when its client has hung up meanwhile.
	 */
	add(message: M, client: Client): Promise<R>;
	/** Settles when nothing waits and no call is under way. */
	drain(): Promise<void>;
}

/** The connection that a message came over. */
export interface Client {
	readonly destroyed: boolean;
}

export interface SendQueueOptions<M, R> {
	/** Names the queue in the metrics. */
	readonly channel: "sms" | "whatsapp";
	readonly maxMessagesPerCall: number;
	readonly telemetry: Telemetry;
	/**
	 * Answers one result per message, in order. A call that fails is not repeated: it may have been carried
	 * out, and only the client's idempotency key can tell.
	 */
	readonly send: (messages: M[]) => Promise<R[]>;
}

/** A second call beside the first would halve both batches and double their fixed cost. */
const MAX_CALLS_IN_FLIGHT = 1;
/** More waiting messages than this take memory for answers that come too late. */
export const MAX_WAITING_MESSAGES = 20_000;
/** Longest wait for a call, ms: by then many clients have given up, and would send their message again. */
export const MAX_WAIT_MS = 10_000;

interface Waiting<M> {
	readonly message: M;
	readonly client: Client;
	readonly since: number;
}

/** Gathers the messages of concurrent requests into calls, and sends on only what somebody waits for. */
export function createSendQueue<M, R>(
	options: SendQueueOptions<M, R>,
): SendQueue<M, R> {
	const { channel, telemetry, send } = options;
	const depth = telemetry.sendsWaiting.labels(channel);
	const batcher = createBatcher<Waiting<M>, R | undefined>({
		maxItems: options.maxMessagesPerCall,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: async (waiting) => {
			depth.set(batcher.depth());
			const now = performance.now();
			const wanted = waiting.filter((one) => isWanted(one, now));
			const results = await sendThose(wanted);
			if (wanted.length === waiting.length) return results;
			const resultOf = new Map(wanted.map((one, at) => [one, results[at]]));
			return waiting.map((one) => resultOf.get(one));
		},
	});

	async function sendThose(wanted: readonly Waiting<M>[]): Promise<R[]> {
		if (wanted.length === 0) return [];
		const results = await send(wanted.map(({ message }) => message));
		if (results.length !== wanted.length)
			throw new Error("A call must answer one result per message.");
		return results;
	}

	function refuse(): never {
		telemetry.sendsNotTaken.inc({ channel });
		throw new RefusalError({
			code: "service_unavailable",
			message:
				"More messages wait than can be taken in time, and this one was not accepted. Repeat the request.",
		});
	}

	return {
		async add(message, client) {
			if (batcher.depth() >= MAX_WAITING_MESSAGES) refuse();
			const since = performance.now();
			const result = batcher.add({ message, client, since });
			depth.set(batcher.depth());
			return (await result) ?? refuse();
		},
		drain: batcher.drain,
	};
}

/** A message whose client has gone would be sent for nobody, and once more when the client tries again. */
function isWanted({ client, since }: Waiting<unknown>, now: number): boolean {
	return !client.destroyed && now - since <= MAX_WAIT_MS;
}
