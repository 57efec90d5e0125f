/** The first and the last port of a range. */
export type PortRange = readonly [first: number, last: number];

const MAX_PORT = 65_535;

/** Those of well-known services (RFC 6335, 6) but HTTP's own two. */
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
