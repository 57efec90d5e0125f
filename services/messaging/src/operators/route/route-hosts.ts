import { BadValue } from "./route-values.ts";

export interface HostAddress {
	readonly host: string;
	readonly port: number;
}

interface Hosts extends HostAddress {
	/** Take over in this order while those before cannot be bound. */
	readonly furtherHosts: readonly HostAddress[];
}

const MOST_FURTHER = 7;

/** In the order in which they are used. */
export function hostsOf({ host, port, furtherHosts }: Hosts): HostAddress[] {
	return [{ host, port }, ...furtherHosts];
}

export function isSameHost(a: HostAddress, b: HostAddress): boolean {
	return a.host === b.host && a.port === b.port;
}

export function hostText({ host, port }: HostAddress): string {
	return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Reads `host:port` joined by commas; a host without a port has that of the first one. */
export function furtherHosts(first: HostAddress) {
	return (value: string): HostAddress[] => {
		const further = value === "" ? [] : value.split(",").map(parseHost);
		const hosts = further.map(({ host, port = first.port }) => ({
			host,
			port,
		}));
		if (hosts.length > MOST_FURTHER)
			throw new BadValue(`must have at most ${MOST_FURTHER} hosts`);
		const names = new Set([first, ...hosts].map(hostText));
		if (names.size <= hosts.length)
			throw new BadValue(
				"must name each host once, and not that of the address",
			);
		return hosts;
	};
}

function parseHost(text: string): { host: string; port?: number } {
	const url = URL.parse(`smpp://${text}`);
	const isPlain = /^[^\s/?#@]+$/.test(text) && !text.endsWith(":");
	if (url === null || !isPlain || url.hostname === "")
		throw new BadValue(
			"must be hosts joined by commas, each as host or host:port, for example smsc2.example:2775",
		);
	const host = unbracketed(url.hostname);
	return url.port === "" ? { host } : { host, port: Number(url.port) };
}

/** An address of IPv6 stands in brackets in a URL, and in no connection. */
export function unbracketed(hostname: string): string {
	return hostname.replace(/^\[|\]$/g, "");
}
