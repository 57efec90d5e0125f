import ipaddr from "ipaddr.js";

/** Public IPv6 lives here alone (IANA); all else is special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** True for global unicast outside of every IANA special-purpose block, those that embed an IPv4 address included. */
export function isPublicAddress(address: string): boolean {
	if (!ipaddr.isValid(address)) return false;
	const parsed = ipaddr.parse(address);
	if (parsed.range() !== "unicast") return false;
	return parsed instanceof ipaddr.IPv6
		? parsed.match(GLOBAL_UNICAST)
		: ipaddr.IPv4.isValidFourPartDecimal(address);
}

const LOCAL_NAMES =
	/(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

export function isLocalName(hostname: string): boolean {
	const name = hostname.toLowerCase().replace(/\.+$/, "");
	return !name.includes(".") || LOCAL_NAMES.test(name);
}
