import {
	conflict,
	type DomainError,
	unavailable,
} from "@airtower/platform/runtime/domain-error";
import { clip, errorSchema, parseJson } from "./submit-response.ts";

/** Responses that waiting seldom mends: the token or the id of the account is wrong. */
export const OUR_FAULT: ReadonlySet<number> = new Set([400, 401, 403, 404]);

const MAX_SAID_LENGTH = 200;

/** Tells the admin, who alone asks, what the provider says of the token or the account. */
export function providerRefused(httpStatus: number, text: string): DomainError {
	const { error } = errorSchema.safeParse(parseJson(text)).data ?? {};
	const code = error?.code === undefined ? "" : `, code ${error.code}`;
	const said = clip(error?.message ?? "").slice(0, MAX_SAID_LENGTH);
	return conflict(
		"provider_refused",
		`The provider refused to give the templates (HTTP ${httpStatus}${code}${said && `: ${said}`}).` +
			" Registering the number again mends a wrong token or account id.",
		{ cause: new Error(clip(text)) },
	);
}

export function providerUnavailable(cause: unknown): DomainError {
	return unavailable(
		"provider_unavailable",
		"The provider did not give its templates; try again later.",
		{ cause },
	);
}
