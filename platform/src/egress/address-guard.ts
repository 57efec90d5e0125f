import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { createDnsResolver, type Resolve, systemResolver } from "./resolver.ts";

export class AddressRefused extends Error {
	override readonly name = "AddressRefused";
	readonly reason: "address_not_allowed" | "dns_failed";

	constructor(reason: AddressRefused["reason"], cause?: unknown) {
		super(reason, { cause });
		this.reason = reason;
	}
}

/** Throws {@link AddressRefused}. Connect to these addresses only, and resolve nothing again. */
export type AddressGuard = (hostname: string) => Promise<string[]>;

interface AddressGuardOptions {
	readonly rules: AddressRules;
	/** Default: the system's where private addresses are allowed, a name server otherwise. */
	readonly resolve?: Resolve | undefined;
}

/** One forbidden address among many refuses the host: a mixed list is how rebinding begins. */
export function createAddressGuard({
	rules,
	resolve = rules.allowPrivateAddresses ? systemResolver : createDnsResolver(),
}: AddressGuardOptions): AddressGuard {
	return async (hostname) => {
		const addresses = await findAddresses(hostname, resolve);
		if (!addresses.every((address) => isAllowedAddress(address, rules)))
			throw new AddressRefused("address_not_allowed");
		return addresses;
	};
}

async function findAddresses(
	hostname: string,
	resolve: Resolve,
): Promise<string[]> {
	if (isIP(hostname) !== 0) return [hostname];
	try {
		const addresses = await resolve(hostname);
		if (addresses.length > 0) return addresses;
	} catch (error) {
		throw new AddressRefused("dns_failed", error);
	}
	throw new AddressRefused("dns_failed");
}

/** A network by its first address and the bits of its prefix. */
type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface AddressRules {
	readonly allowPrivateAddresses: boolean;
	/** Never dialled, private or public. */
	readonly blockedNetworks: readonly Network[];
}

/** Reads "203.0.113.0/24", or a single address. Throws on anything else. */
export function parseNetwork(text: string): Network {
	return text.includes("/")
		? ipaddr.parseCIDR(text)
		: [ipaddr.parse(text), isIP(text) === 4 ? 32 : 128];
}

/** `address` is a literal in its canonical form. */
export function isAllowedAddress(
	address: string,
	{ allowPrivateAddresses, blockedNetworks }: AddressRules,
): boolean {
	if (!allowPrivateAddresses && !isPublicAddress(address)) return false;
	if (blockedNetworks.length === 0) return true;
	if (!ipaddr.isValid(address)) return false;
	// An IPv4 address that is written as IPv6 is the IPv4 address.
	const parsed = ipaddr.process(address);
	return !blockedNetworks.some(
		([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits),
	);
}

/** All public IPv6 addresses are of this block (IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** A public address by its number; inside Azure it leads to the host: metadata, certificates, DNS. */
const CLOUD_HOST = "168.63.129.16";

/** True for global unicast outside of every IANA special-purpose block, those that embed an IPv4 address included. */
export function isPublicAddress(address: string): boolean {
	if (!ipaddr.isValid(address)) return false;
	const parsed = ipaddr.parse(address);
	if (parsed.range() !== "unicast" || address === CLOUD_HOST) return false;
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

/** The first and the last port of a range. */
export type PortRange = readonly [first: number, last: number];

const MAX_PORT = 65_535;

/** Ports of well-known services (RFC 6335, section 6), except HTTP's two. */
export const PRIVILEGED_PORTS: readonly PortRange[] = [
	[1, 79],
	[81, 442],
	[444, 1_023],
];

/** Reads "25" or "6000-6063". Throws on anything else. */
export function parsePorts(text: string): PortRange {
	const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
	const range: PortRange = [Number(first), Number(last)];
	if (!(range[0] <= range[1] && range[1] <= MAX_PORT))
		throw new Error("A range of ports is malformed.");
	return range;
}

export function isBlockedPort(
	port: number,
	blocked: readonly PortRange[],
): boolean {
	return blocked.some(([first, last]) => port >= first && port <= last);
}

/** The port that a URL leads to; `port` is empty for that of its protocol. */
export function portFrom(url: {
	readonly protocol: string;
	readonly port: string;
}): number {
	if (url.port !== "") return Number(url.port);
	return url.protocol === "https:" ? 443 : 80;
}
