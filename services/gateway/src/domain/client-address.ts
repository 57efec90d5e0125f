import { isIPv6 } from "node:net";

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Groups of an IPv6 address that name the network: one customer usually has a whole /64. */
const NETWORK_GROUPS = 4;
const MAX_LENGTH = 64;

/** The IPv4 address, or the /64 of the IPv6 address; empty for a connection that is already gone. */
export function clientNetwork(address: string | undefined): string {
	if (address === undefined) return "";
	const mapped = MAPPED_IPV4.exec(address)?.[1];
	if (mapped !== undefined) return mapped;
	if (!isIPv6(address)) return address.slice(0, MAX_LENGTH);
	const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
	const before = head === "" ? [] : head.split(":");
	const after = tail === undefined || tail === "" ? [] : tail.split(":");
	const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
	const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
	return groups
		.slice(0, NETWORK_GROUPS)
		.map((group) => Number.parseInt(group, 16).toString(16))
		.join(":");
}

/** The address of who asks, as far as it is kept; behind a proxy it is what the proxy says. */
export function addressOf({ ip }: { readonly ip: string }): string {
	return ip.slice(0, MAX_LENGTH);
}
