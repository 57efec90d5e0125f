import { type Collector, createCollector } from "@airtower/platform/collector";
import { callSpacing } from "@airtower/platform/spacing";
import type {
	SendMessageSchema,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clients } from "./clients.ts";
import type { Telemetry } from "./telemetry.ts";

export type MessageToSend = MessageInitShape<typeof SendMessageSchema>;
export type MessageCollector = Collector<MessageToSend, SendResult>;

const MAX_MESSAGES_PER_CALL = 500;
const MAX_CALLS_IN_FLIGHT = 2;
/** A second call costs the services more than it saves the clients, unless it carries this many. */
const MIN_MESSAGES_BESIDE = 64;
/** More waiting messages than this are refused: by then they would wait for seconds. */
export const MAX_WAITING_MESSAGES = 20_000;

/**
 * Gathers the messages of concurrent requests into SendMessages calls. A call that fails is not
 * repeated: it may have been carried out, and only the client's idempotency key can tell.
 */
export function createMessageCollector(
	messaging: Pick<Clients["messaging"], "sendMessages">,
	telemetry: Telemetry,
): MessageCollector {
	const collector = createCollector<MessageToSend, SendResult>({
		maxItems: MAX_MESSAGES_PER_CALL,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		minBeside: MIN_MESSAGES_BESIDE,
		regroup: true,
		spacing: callSpacing,
		flush: async (messages) => {
			telemetry.sendsWaiting.set(collector.depth());
			const { results } = await messaging.sendMessages({ messages });
			return results;
		},
	});
	return collector;
}
