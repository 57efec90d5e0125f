import { createBatcher } from "@airtower/platform/work/micro-batcher";
import { type Reason, RefusalError, refusalFromReason } from "../errors.ts";
import type { Telemetry } from "../telemetry.ts";

/** Messages of concurrent requests on their way into calls of a service. */
export interface SendQueue<M, A> {
	/**
	 * Resolves once the service has accepted the message. Rejects with the service's refusal, with the error of
	 * the call that carried the message, or with service_unavailable before any service has had it: when too many
	 * wait already, when it has waited too long, or when its client has hung up meanwhile.
	 */
	add(message: M, client: Client): Promise<A>;
	/** Settles when nothing waits and no call is in flight. */
	drain(): Promise<void>;
}

/** The connection that a message came over. */
export interface Client {
	readonly destroyed: boolean;
}

/** What a service returns for each message. */
export interface SendResult<A> {
	readonly result:
		| { readonly case: "accepted"; readonly value: A }
		| { readonly case: "refused"; readonly value: Reason }
		| { readonly case: undefined; readonly value?: undefined };
}

export interface SendQueueOptions<M, A> {
	/** Names the queue in the metrics. */
	readonly channel: "sms" | "whatsapp";
	readonly maxMessagesPerCall: number;
	readonly telemetry: Telemetry;
	/**
	 * Returns one result per message, in order. A call that fails is not repeated: it may have been carried
	 * out, and only the client's idempotency key can tell.
	 */
	readonly send: (messages: M[]) => Promise<SendResult<A>[]>;
}

/** A second call beside the first would halve both batches and double their fixed cost. */
const MAX_CALLS_IN_FLIGHT = 1;
/** More waiting messages than this take memory for responses that come too late. */
export const MAX_WAITING_MESSAGES = 20_000;
/** Longest wait for a call, ms: by then many clients have given up, and would send their message again. */
export const MAX_WAIT_MS = 10_000;

interface Waiting<M> {
	readonly message: M;
	readonly client: Client;
	readonly since: number;
}

/** Batches the messages of concurrent requests, and sends on only what somebody waits for. */
export function createSendQueue<M, A>(
	options: SendQueueOptions<M, A>,
): SendQueue<M, A> {
	const { channel, telemetry, send } = options;
	const depth = telemetry.sendsWaiting.labels(channel);
	const batcher = createBatcher<Waiting<M>, SendResult<A> | undefined>({
		maxItems: options.maxMessagesPerCall,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: async (waiting) => {
			depth.set(batcher.depth());
			const now = performance.now();
			const wanted = waiting.filter((one) => isWanted(one, now));
			if (wanted.length === 0) return waiting.map(() => undefined);
			const results = await send(wanted.map(({ message }) => message));
			if (results.length !== wanted.length)
				throw new Error("A call must return one result per message.");
			const resultOf = new Map(wanted.map((one, at) => [one, results[at]]));
			return waiting.map((one) => resultOf.get(one));
		},
	});

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
			const added = batcher.add({ message, client, since });
			depth.set(batcher.depth());
			const { result } = (await added) ?? refuse();
			if (result.case === "accepted") return result.value;
			throw new RefusalError(
				(result.case === "refused" && refusalFromReason(result.value)) || {
					code: "internal_error",
				},
			);
		},
		drain: batcher.drain,
	};
}

/** A message whose client has gone would be sent for nobody, and once more when the client tries again. */
function isWanted({ client, since }: Waiting<unknown>, now: number): boolean {
	return !client.destroyed && now - since <= MAX_WAIT_MS;
}
