import type { TemplateCategory, TemplateStatus } from "./template-state.ts";

/** What the provider says about a message that we sent. */
export interface StatusItem {
	readonly kind: "status";
	readonly providerPhoneNumberId: string;
	readonly providerMessageId: string;
	/** Our id, when the provider echoes it. */
	readonly messageId: string | undefined;
	readonly status: "sent" | "delivered" | "read" | "failed";
	readonly at: Date;
	readonly errorCode: number | undefined;
	readonly errorText: string | undefined;
	/** What it is billed as, in the provider's word. */
	readonly category: string | undefined;
}

export interface InboundItem {
	readonly kind: "inbound";
	readonly providerPhoneNumberId: string;
	readonly providerMessageId: string;
	/** At least one of the two. */
	readonly waId: string | undefined;
	readonly userId: string | undefined;
	readonly at: Date;
}

export interface TemplateItem {
	readonly kind: "template";
	readonly providerAccountId: string;
	readonly name: string;
	readonly language: string;
	readonly status: TemplateStatus | undefined;
	readonly category: TemplateCategory | undefined;
	readonly at: Date;
}

/** A user stopped marketing messages of a number, or resumed them. */
export interface PreferenceItem {
	readonly kind: "preference";
	readonly providerPhoneNumberId: string;
	/** E.164 with "+". */
	readonly recipient: string;
	readonly isStopped: boolean;
	readonly at: Date;
}

export type CallbackItem =
	| StatusItem
	| InboundItem
	| TemplateItem
	| PreferenceItem;
