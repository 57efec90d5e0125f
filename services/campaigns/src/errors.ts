import {
	conflict,
	type DomainError,
	invalid,
	notFound,
	unavailable,
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
		`An organization can have ${limit} campaigns that have not sent to everybody yet; cancel one, or wait until one has.`,
	);
}

export function audienceTooLarge(limit: number): DomainError {
	return invalid(
		"audience_too_large",
		"audience_tags",
		`A preview looks at ${limit} recipients at most; choose tags that fewer contacts have.`,
	);
}

export function previewsUnderWay(): DomainError {
	return unavailable(
		"service_unavailable",
		"The organization has as many previews of campaigns under way as it may have; wait for them.",
	);
}

/** A preview without quota and routes would not be one. */
export function previewUnknown(): DomainError {
	return unavailable(
		"service_unavailable",
		"It is not known now what would become of the messages.",
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
