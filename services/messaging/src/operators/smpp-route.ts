import { ConfigError } from "@airtower/platform/runtime/config";
import type { IdForm } from "../domain/operator-message-id.ts";
import type { StatusOverrides } from "../domain/smpp-status.ts";
import type { Alphabet } from "../domain/user-data.ts";
import { readRouteOptions } from "./smpp-route-options.ts";

/** Type of number and numbering plan of an address (SMPP 3.4, 5.2.5 and 5.2.6). */
export interface AddressType {
	readonly ton: number;
	readonly npi: number;
}

/** How a message of several parts is put on the wire. */
export type LongMessages = "udh" | "sar" | "payload";

/** "pair": a transmitter and a receiver for each bind. */
export type BindMode = "transceiver" | "pair";

/** Everything about a route but its password. */
export interface SmppRouteOptions {
	readonly code: string;
	readonly account: string;
	/** Unanswered submits per bind. */
	readonly window: number;
	readonly binds: number;
	readonly mode: BindMode;
	/** Segments per second over all binds. */
	readonly rate: number | undefined;
	readonly answerIds: IdForm;
	readonly receiptIds: IdForm;
	readonly long: LongMessages;
	readonly alphabet: Alphabet;
	readonly recipient: AddressType;
	readonly number: AddressType;
	readonly name: AddressType;
	readonly shortCode: AddressType;
	readonly statuses: StatusOverrides;
	readonly systemType: string;
	/** Offset of the operator's clock from UTC, minutes. */
	readonly utcOffsetMinutes: number;
	/** Seconds between two enquire_link, and until an answer counts as lost. */
	readonly enquireSeconds: number;
	readonly timeoutSeconds: number;
}

/** A parsed route URL. */
export interface SmppRoute extends SmppRouteOptions {
	readonly host: string;
	readonly port: number;
	readonly systemId: string;
	readonly password: string;
}

const DEFAULT_PORT = 2775;

/** Longest system id and password. The standard has 15 and 8 characters; many operators give longer ones. */
const MAX_CREDENTIAL = 64;

/**
 * Reads `smpp://systemId:password@host:port?option=value&...`; the options are those of
 * `smpp-route-options.ts`. Throws ConfigError with one sentence that names the bad part and
 * never shows the password.
 */
export function parseSmppRoute(text: string): SmppRoute {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== "smpp:" || url.hostname === "")
		throw new ConfigError(
			"The SMPP route must be smpp://systemId:password@host:port?options, its password percent-encoded.",
		);
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const systemId = credential(url.username, "system id");
	return {
		...readRouteOptions(url.searchParams, `${systemId}@${host}`),
		host,
		port: url.port === "" ? DEFAULT_PORT : Number(url.port),
		systemId,
		password: credential(url.password, "password"),
	};
}

function credential(encoded: string, name: string): string {
	const value = decode(encoded);
	if (value === undefined || !/^[\x20-\x7e]*$/.test(value))
		throw new ConfigError(`The SMPP route's ${name} is not ASCII text.`);
	if (value === "" || value.length > MAX_CREDENTIAL)
		throw new ConfigError(
			`The SMPP route's ${name} must have 1 to ${MAX_CREDENTIAL} characters.`,
		);
	return value;
}

function decode(encoded: string): string | undefined {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return undefined;
	}
}
