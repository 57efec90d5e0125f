export type TemplateStatus =
	| "pending"
	| "approved"
	| "rejected"
	| "paused"
	| "disabled";

const TEMPLATE_CATEGORIES = ["utility", "authentication", "marketing"] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

export type BillingCategory =
	| Exclude<TemplateCategory, "marketing">
	| "service";

const STATUS_OF_PROVIDER: Readonly<Record<string, TemplateStatus>> = {
	APPROVED: "approved",
	/** Badly rated, and still sendable. */
	FLAGGED: "approved",
	REINSTATED: "approved",
	UNPAUSED: "approved",
	PENDING: "pending",
	IN_APPEAL: "pending",
	REJECTED: "rejected",
	PAUSED: "paused",
	DISABLED: "disabled",
	ARCHIVED: "disabled",
	LIMIT_EXCEEDED: "disabled",
	LOCKED: "disabled",
	PENDING_DELETION: "disabled",
	DELETED: "disabled",
};

/** Our status for the provider's status or event; undefined for one that is not known. */
export function parseTemplateStatus(text: string): TemplateStatus | undefined {
	return STATUS_OF_PROVIDER[text.toUpperCase()];
}

export function parseTemplateCategory(
	text: string,
): TemplateCategory | undefined {
	const lower = text.toLowerCase();
	return TEMPLATE_CATEGORIES.find((category) => category === lower);
}

/** What a status callback says a message is billed as; undefined for what we never send. */
export function parseBillingCategory(
	text: string,
): BillingCategory | undefined {
	const lower = text.toLowerCase();
	if (lower.startsWith("authentication")) return "authentication";
	return lower === "utility" || lower === "service" ? lower : undefined;
}

export interface SendableFacts {
	readonly status: TemplateStatus;
	readonly category: TemplateCategory;
	readonly locallyDisabled: boolean;
	readonly bodyOnly: boolean;
}

/** True when a send of this template has a chance. */
export function isSendable(template: SendableFacts): boolean {
	return (
		template.status === "approved" &&
		!template.locallyDisabled &&
		template.bodyOnly &&
		template.category !== "marketing"
	);
}
