import ipaddr from "ipaddr.js";

/** Public IPv6 lives here alone (IANA: global unicast); all else is special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * True for an address that anybody on the internet may be asked to reach: global unicast, and in
 * no block of the IANA special-purpose registries (private, loopback, link-local, carrier-grade NAT,
 * documentation, benchmarking, multicast, reserved, and every form that embeds an IPv4 address:
 * mapped, compatible, NAT64, 6to4, Teredo). `address` is a literal in its canonical form.
 */
export function isPublicAddress(address: string): boolean {
	if (!ipaddr.isValid(address)) return false;
	const parsed = ipaddr.parse(address);
	if (parsed.range() !== "unicast") return false;
	return parsed instanceof ipaddr.IPv6
		? parsed.match(GLOBAL_UNICAST)
		: ipaddr.IPv4.isValidFourPartDecimal(address);
}

/** Names that a resolver finds on its own machine or network. */
const LOCAL_NAMES =
	/(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

/** True for a host name that never leads to the public internet: a local suffix, or no dot at all. */
export function isLocalName(hostname: string): boolean {
	const name = hostname.toLowerCase().replace(/\.+$/, "");
	return !name.includes(".") || LOCAL_NAMES.test(name);
}
