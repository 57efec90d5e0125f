import type { BatchItem } from "@airtower/platform/work/batch-answers";
import type { SendWhatsAppMessage } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { BillingCategory } from "../domain/template-state.ts";
import type { DispatchContent } from "../store/dispatch.ts";

/** One message of a batch. */
export type Candidate = BatchItem<SendWhatsAppMessage>;

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
