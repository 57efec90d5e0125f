import { ConfigError } from "@airtower/platform/runtime/config";
import { readRouteOptions } from "./smpp-route-options.ts";

export interface SmppRoute extends ReturnType<typeof readRouteOptions> {
	readonly host: string;
	readonly port: number;
	readonly systemId: string;
	readonly password: string;
}

const DEFAULT_PORT = 2775;
/** The standard has 15 and 8 characters; many operators give longer ones. */
const MAX_CREDENTIAL = 64;

/** Reads `smpp://systemId:password@host:port?option=value&...`. Throws ConfigError that never shows the password. */
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
