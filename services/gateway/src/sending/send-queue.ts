import {
	currentSpan,
	inSpan,
	isTracing,
	startBatchSpan,
	traceparentOf,
} from "@airtower/platform/tracing/spans";
import { createBatcher } from "@airtower/platform/work/micro-batcher";
import type {
	MessageAccepted,
	SendMessageSchema,
} from "@airtower/proto/messaging/v1/messaging";
import type {
	SendWhatsAppMessageSchema,
	WhatsAppAccepted,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clients } from "../clients.ts";
import { type Reason, RefusalError, refusalOfItem } from "../errors.ts";
import type { Telemetry } from "../telemetry.ts";

interface SendQueue<M, A> {
	/**
	 * Resolves once the service has accepted the message. Rejects with the service's refusal, with the error of
	 * the call that carried the message, or with service_unavailable before any service has had it: when too many
	 * wait already, when it has waited too long, or when its client has hung up meanwhile.
	 */
	add(message: M, client: Client): Promise<A>;
	/** True while the next message would be refused. */
	isFull(): boolean;
	drain(): Promise<void>;
}

interface Client {
	readonly destroyed: boolean;
}

interface SendResult<A> {
	readonly result:
		| { readonly case: "accepted"; readonly value: A }
		| { readonly case: "refused"; readonly value: Reason }
		| { readonly case: undefined; readonly value?: undefined };
}

interface SendQueueOptions<M, A> {
	readonly channel: "sms" | "whatsapp";
	readonly maxMessagesPerCall: number;
	readonly telemetry: Telemetry;
	/** Returns one result per message, in order. A call that fails may have been carried out: it is not repeated. */
	readonly send: (messages: M[]) => Promise<SendResult<A>[]>;
}

/** A second call beside the first would halve both batches and double their fixed cost. */
const MAX_CALLS_IN_FLIGHT = 1;
/** More waiting messages than this take memory for responses that come too late. */
export const MAX_WAITING_MESSAGES = 20_000;
/** Longest wait for a call, ms: by then many clients have given up, and would send their message again. */
export const MAX_WAIT_MS = 10_000;

const NOT_TAKEN = {
	code: "service_unavailable",
	message:
		"More messages wait than can be taken in time, and this one was not accepted. Repeat the request.",
} as const;

interface Waiting<M> {
	readonly message: M;
	readonly client: Client;
	readonly since: number;
	readonly traceparent: string | undefined;
}

/** Batches the messages of concurrent requests, and sends on only what somebody waits for. */
export function createSendQueue<M, A>(
	options: SendQueueOptions<M, A>,
): SendQueue<M, A> {
	const { channel, telemetry, send } = options;
	const depth = telemetry.sendsWaiting.labels(channel);
	depth.set(0);
	const batcher = createBatcher<Waiting<M>, SendResult<A> | undefined>({
		maxItems: options.maxMessagesPerCall,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: (waiting) => {
			depth.set(batcher.depth());
			return isTracing()
				? inSpan(startSendSpan(channel, waiting), () =>
						sendWanted(waiting, send),
					)
				: sendWanted(waiting, send);
		},
	});

	const isFull = () => batcher.depth() >= MAX_WAITING_MESSAGES;

	function refuse(): never {
		telemetry.sendsNotTaken.inc({ channel });
		throw new RefusalError(NOT_TAKEN);
	}

	return {
		async add(message, client) {
			if (isFull()) refuse();
			const since = performance.now();
			const traceparent = traceparentOf(currentSpan());
			const added = batcher.add({ message, client, since, traceparent });
			depth.set(batcher.depth());
			return acceptedFrom((await added) ?? refuse());
		},
		isFull,
		drain: batcher.drain,
	};
}

function startSendSpan(channel: string, waiting: readonly Waiting<unknown>[]) {
	const parents = waiting.map(({ traceparent }) => traceparent);
	return startBatchSpan(`send ${channel} batch`, parents);
}

/** A message whose client has gone would be sent for nobody, and once more when the client tries again. */
async function sendWanted<M, A>(
	waiting: readonly Waiting<M>[],
	send: (messages: M[]) => Promise<SendResult<A>[]>,
): Promise<(SendResult<A> | undefined)[]> {
	const now = performance.now();
	const wanted = waiting.filter(
		({ client, since }) => !client.destroyed && now - since <= MAX_WAIT_MS,
	);
	if (wanted.length === 0) return waiting.map(() => undefined);
	const results = await send(wanted.map(({ message }) => message));
	if (results.length !== wanted.length)
		throw new Error("A call must return one result per message.");
	const resultOf = new Map(wanted.map((one, at) => [one, results[at]]));
	return waiting.map((one) => resultOf.get(one));
}

function acceptedFrom<A>({ result }: SendResult<A>): A {
	if (result.case === "accepted") return result.value;
	throw new RefusalError(refusalOfItem(result.value));
}

const MAX_SMS_PER_CALL = 500;
const MAX_WHATSAPP_PER_CALL = 100;

export type Sms = MessageInitShape<typeof SendMessageSchema>;
export type WhatsAppMessage = MessageInitShape<
	typeof SendWhatsAppMessageSchema
>;

export type SmsQueue = SendQueue<Sms, MessageAccepted>;
export type WhatsAppQueue = SendQueue<WhatsAppMessage, WhatsAppAccepted>;

export function createSmsQueue(
	{ messaging }: Pick<Clients, "messaging">,
	telemetry: Telemetry,
): SmsQueue {
	return createSendQueue<Sms, MessageAccepted>({
		channel: "sms",
		maxMessagesPerCall: MAX_SMS_PER_CALL,
		telemetry,
		send: async (messages) =>
			(await messaging.sendMessages({ messages })).results,
	});
}

export function createWhatsAppQueue(
	{ whatsapp }: Pick<Clients, "whatsapp">,
	telemetry: Telemetry,
): WhatsAppQueue {
	return createSendQueue<WhatsAppMessage, WhatsAppAccepted>({
		channel: "whatsapp",
		maxMessagesPerCall: MAX_WHATSAPP_PER_CALL,
		telemetry,
		send: async (messages) =>
			(await whatsapp.sendWhatsAppMessages({ messages })).results,
	});
}
