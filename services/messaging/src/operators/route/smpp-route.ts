import { BadRoute } from "./bad-route.ts";
import { unbracketed } from "./route-hosts.ts";
import { readRouteOptions } from "./smpp-route-options.ts";

export interface SmppRoute extends ReturnType<typeof readRouteOptions> {
	readonly kind: "smpp";
	readonly host: string;
	readonly port: number;
	/** Over TLS, the operator's certificate checked. */
	readonly isSecure: boolean;
	readonly systemId: string;
	readonly password: string;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
	"smpp:": 2775,
	"smpps:": 3550,
};
const SECURE_OPTIONS = ["ca", "cert", "key"];
/** The standard has 15 and 8 characters; many operators give longer ones. */
const MAX_CREDENTIAL = 64;

/** Reads `smpp[s]://systemId:password@host:port?option=value&...`. Throws BadRoute that never shows the password. */
export function parseSmppRoute(text: string): SmppRoute {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const port = DEFAULT_PORTS[url?.protocol ?? ""];
	if (url === undefined || port === undefined || url.hostname === "")
		throw new BadRoute(
			"address",
			"The SMPP route must be smpp(s)://systemId:password@host:port?options, its password percent-encoded.",
		);
	const isSecure = url.protocol === "smpps:";
	for (const name of SECURE_OPTIONS)
		if (url.searchParams.has(name) && !isSecure)
			throw new BadRoute(
				name,
				`The SMPP route's option "${name}" needs smpps://.`,
			);
	const address = {
		host: unbracketed(url.hostname),
		port: url.port === "" ? port : Number(url.port),
	};
	const systemId = credential(url.username, "address", "system id");
	return {
		...readRouteOptions(
			url.searchParams,
			`${systemId}@${address.host}`,
			address,
		),
		kind: "smpp",
		...address,
		isSecure,
		systemId,
		password: credential(url.password, "password", "password"),
	};
}

function credential(encoded: string, setting: string, name: string): string {
	const value = decode(encoded);
	if (value === undefined || !/^[\x20-\x7e]*$/.test(value))
		throw new BadRoute(setting, `The SMPP route's ${name} is not ASCII text.`);
	if (value === "" || value.length > MAX_CREDENTIAL)
		throw new BadRoute(
			setting,
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
