import {
	conflict,
	type DomainError,
	notFound,
} from "@airtower/platform/runtime/domain-error";

export function unknownCampaign(): DomainError {
	return notFound("unknown_campaign", "There is no such campaign.");
}

export function campaignEnded(status: string): DomainError {
	return conflict(
		"campaign_ended",
		`The campaign is ${status.replaceAll("_", " ")}; it changes no more.`,
	);
}

export function contactExists(): DomainError {
	return conflict(
		"contact_exists",
		"A contact with this phone number exists.",
		{ field: "phone" },
	);
}

export function unknownContact(): DomainError {
	return notFound("unknown_contact", "There is no contact with this id.", {
		field: "id",
	});
}
