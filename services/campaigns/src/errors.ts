import { DomainError } from "@airtower/platform/runtime/domain-error";

export function invalid(
	reason: string,
	field: string,
	message: string,
): DomainError {
	return new DomainError({ kind: "invalid", reason, field, message });
}

export function unknownCampaign(): DomainError {
	return new DomainError({
		kind: "not_found",
		reason: "unknown_campaign",
		message: "There is no such campaign.",
	});
}

export function campaignEnded(status: string): DomainError {
	return new DomainError({
		kind: "conflict",
		reason: "campaign_ended",
		message: `The campaign is ${status.replaceAll("_", " ")}; it changes no more.`,
	});
}

export function contactExists(): DomainError {
	return new DomainError({
		kind: "conflict",
		reason: "contact_exists",
		field: "phone",
		message: "A contact with this phone number exists.",
	});
}

export function unknownContact(): DomainError {
	return new DomainError({
		kind: "not_found",
		reason: "unknown_contact",
		field: "id",
		message: "There is no contact with this id.",
	});
}
