import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { CommandError } from "./errors.ts";
import type { Line } from "./parse-line.ts";

interface Wanted {
	/** As the line calls it, when that is not the field's own name. */
	readonly name?: string;
	readonly right: string;
}

const PROVIDER_ID = "1 to 64 letters, digits, dashes or underscores";
const RATE = "a whole number from 1 to 1000000";

/** By the services' field, after the command's group where that makes a difference. */
const WANTED: Readonly<Record<string, Wanted>> = {
	email: { right: "an address like ops@example.com" },
	default_country: {
		name: "country",
		right: "a country of two letters, for example FR",
	},
	state: { right: "trial, active, past_due, suspended or closed" },
	plan: { right: "the name of a plan, as plans list shows them" },
	"plans name": {
		name: "plan",
		right: "1 to 50 of a-z, 0-9, _ and -, a letter first",
	},
	"keys name": { right: "1 to 100 characters" },
	"organizations name": { right: "1 to 200 characters" },
	requests_per_minute: { right: RATE },
	organization_requests_per_minute: {
		right: "a whole number from 1 to 4000000, and not below that of a key",
	},
	units: { right: "a whole number other than 0" },
	note: { right: "at most 500 characters" },
	reason: { right: "1 to 500 characters" },
	grant_id: { right: "a UUID" },
	scopes: { right: "of scopes that exist, for example sms:send,sms:read" },
	expires_at: { right: "a time in the future" },
	prefix: { right: "+ and 1 to 9 digits, for example +33" },
	"rules route": { right: "the code of a route, as routes list shows them" },
	"rules sender": {
		right: "3 to 11 characters with a letter, or 3 to 15 digits",
	},
	"rules priority": { right: "a whole number from 1 to 100" },
	"rules weight": { right: "a whole number from 1 to 1000" },
	"rules choose": { right: "weight or cost" },
	"rules version": { right: "a whole number from 0" },
	"routes to": { right: "a number like +33612345678" },
	"routes sender": {
		name: "from",
		right: "1 to 15 characters",
	},
	"routes message_id": { name: "message", right: "a UUID" },
	phone: { right: "a number like +33612345678" },
	provider_phone_number_id: { name: "provider-number-id", right: PROVIDER_ID },
	provider_account_id: { right: PROVIDER_ID },
	access_token: {
		name: "token-file",
		right: "a file with a token, without spaces",
	},
};

/** A service's refusal of a value, in the words of the command line; any other error as it is. */
export function describeRefusal(
	{ command, values }: Line,
	error: unknown,
): unknown {
	const refusal = domainErrorFrom(error);
	if (refusal?.kind !== "invalid" || refusal.field === undefined) return error;
	const { field, reason } = refusal;
	const [group] = command.line.split(" ");
	const wanted = WANTED[`${group} ${field}`] ?? WANTED[field];
	const name = wanted?.name ?? field.replaceAll("_", "-");
	const given = values.get(name);
	if (wanted === undefined || given === undefined) return error;
	const named = command.line.includes(`<${name}>`) ? `<${name}>` : `--${name}`;
	return new CommandError(
		`${named} must be ${wanted.right}, not "${given}".`,
		reason,
	);
}
