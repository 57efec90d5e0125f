import { isIP } from "node:net";
import {
	type AddressRules,
	isAllowedAddress,
	isBlockedPort,
	isLocalName,
	type PortRange,
	portFrom,
} from "@airtower/platform/egress/address-guard";

export interface UrlRules extends AddressRules {
	readonly allowHttp: boolean;
	readonly blockedPorts: readonly PortRange[];
}

/** Spaces and control characters, which the URL parser would drop in silence. */
const STRIPPED_BY_PARSER = /[\s\p{Cc}]/u;

/** What is wrong with a URL, for the client. The WHATWG parser has made one form of every spelling of an address. */
export function urlProblem(text: string, rules: UrlRules): string | undefined {
	if (STRIPPED_BY_PARSER.test(text) || !URL.canParse(text))
		return "url must be an absolute https URL.";
	const url = new URL(text);
	if (url.protocol !== "https:" && !(rules.allowHttp && isHttp(url)))
		return "url must start with https://.";
	if (url.username !== "" || url.password !== "")
		return "url must not contain a user name or password.";
	if (!isHost(hostFrom(url))) return "url must name a host.";
	if (url.port === "0" || isBlockedPort(portFrom(url), rules.blockedPorts))
		return "url must name a port that can be reached.";
	if (!isAllowedHost(hostFrom(url), rules)) return ADDRESS_PROBLEM;
	return undefined;
}

/** Told for literal and resolved addresses alike, so that nobody can map our network with it. */
export const ADDRESS_PROBLEM = "url must lead to a public internet address.";

/** IPv6 without brackets, as a resolver or a socket wants it. */
export function hostFrom(url: URL): string {
	return url.hostname.replace(/^\[|\]$/g, "");
}

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** An address, or a name that DNS can have: the URL parser takes more. */
function isHost(host: string): boolean {
	if (isIP(host) !== 0) return true;
	const name = host.replace(/\.$/, "");
	const labels = name.split(".");
	return (
		name.length <= MAX_NAME_LENGTH && labels.every((one) => LABEL.test(one))
	);
}

function isAllowedHost(host: string, rules: UrlRules): boolean {
	return isIP(host) === 0
		? rules.allowPrivateAddresses || !isLocalName(host)
		: isAllowedAddress(host, rules);
}

function isHttp(url: URL): boolean {
	return url.protocol === "http:";
}
