import { type Collector, createCollector } from "@airtower/platform/collector";
import { callSpacing } from "@airtower/platform/spacing";
import type {
	SendWhatsAppMessageSchema,
	SendWhatsAppResult,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clients } from "./clients.ts";

export type WhatsAppMessageToSend = MessageInitShape<
	typeof SendWhatsAppMessageSchema
>;
export type WhatsAppCollector = Collector<
	WhatsAppMessageToSend,
	SendWhatsAppResult
>;

const MAX_MESSAGES_PER_CALL = 100;
const MAX_CALLS_IN_FLIGHT = 2;
/** A second call costs the service more than it saves the clients, unless it carries this many. */
const MIN_MESSAGES_BESIDE = 50;

/** Gathers the WhatsApp messages of concurrent requests; a call that fails is not repeated, as with SMS. */
export function createWhatsAppCollector(
	whatsapp: Pick<Clients["whatsapp"], "sendWhatsAppMessages">,
): WhatsAppCollector {
	return createCollector({
		maxItems: MAX_MESSAGES_PER_CALL,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		minBeside: MIN_MESSAGES_BESIDE,
		regroup: true,
		spacing: callSpacing,
		flush: async (messages: WhatsAppMessageToSend[]) => {
			const { results } = await whatsapp.sendWhatsAppMessages({ messages });
			return results;
		},
	});
}
