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

export function campaignLimitReached(limit: number): DomainError {
	return conflict(
		"campaign_limit_reached",
		`An organization can have ${limit} campaigns that are not over; cancel one, or wait for one to end.`,
	);
}

export function contactLimitReached(limit: number): DomainError {
	return conflict(
		"contact_limit_reached",
		`An organization can have ${limit} contacts; delete one first.`,
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
