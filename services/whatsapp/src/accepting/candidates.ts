import type { IdempotencyKey } from "@airtower/platform/idempotency";
import type { SendWhatsAppMessage } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { BillingCategory } from "../domain/template-state.ts";
import type { DispatchContent } from "../store/dispatch.ts";

/** One message of a batch, with its place in the request. */
export interface Candidate {
	readonly place: number;
	readonly message: SendWhatsAppMessage;
	/** Lower case. */
	readonly organizationId: string;
	readonly key: IdempotencyKey | undefined;
}

/** A candidate whose own fields are in order. */
export interface CheckedCandidate extends Candidate {
	/** E.164 with "+". */
	readonly recipient: string;
	/** Lower case. */
	readonly phoneNumberId: string;
}

/** A candidate that may go out as things stand. */
export interface SendableCandidate extends CheckedCandidate {
	readonly billingCategory: BillingCategory;
	readonly templateId: string | null;
	readonly content: DispatchContent;
}

export function candidateOf(
	message: SendWhatsAppMessage,
	place: number,
): Candidate {
	const organizationId = message.organizationId.toLowerCase();
	const { idempotency } = message;
	const key = idempotency && {
		organizationId,
		key: idempotency.key,
		fingerprint: idempotency.fingerprint,
	};
	return { place, message, organizationId, key };
}
