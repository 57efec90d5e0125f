import {
	conflict,
	type DomainError,
	forbidden,
	notFound,
	unauthenticated,
} from "@airtower/platform/runtime/domain-error";

export function invalidCallbackSignature(): DomainError {
	return unauthenticated(
		"invalid_callback_signature",
		"The signature does not belong to the body.",
	);
}

export function invalidVerifyToken(): DomainError {
	return forbidden(
		"invalid_verify_token",
		"The verify token is not the one that was agreed.",
	);
}

export function phoneNumberExists(): DomainError {
	return conflict(
		"phone_number_exists",
		"This number, or the provider's id of it, is registered already.",
	);
}

/** Told for another organization's number too. */
export function unknownPhoneNumber(): DomainError {
	return notFound(
		"unknown_phone_number",
		"The organization has no WhatsApp number with this id.",
	);
}

/** Told for another organization's template too. */
export function unknownTemplate(): DomainError {
	return notFound(
		"template_not_found",
		"The organization has no template with this id.",
	);
}

export function unknownMessage(): DomainError {
	return notFound("unknown_message", "There is no message with this id.");
}
