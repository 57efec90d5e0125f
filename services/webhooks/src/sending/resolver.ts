import { lookup, Resolver } from "node:dns/promises";

/** Addresses of a host name, preferred first. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Longest wait for one answer of a name server, ms, ... */
const QUERY_TIMEOUT_MS = 2_000;
/** ... and how often it is asked. */
const QUERY_TRIES = 2;

/**
 * Asks the name servers directly. The system's own look-up would occupy one of four threads for as
 * long as a name server is silent: a few customers' dead servers would stop everybody's deliveries.
 * `servers` (`ip:port`) replace the system's.
 */
export function createDnsResolver(servers?: readonly string[]): Resolve {
	const resolver = new Resolver({
		timeout: QUERY_TIMEOUT_MS,
		tries: QUERY_TRIES,
	});
	if (servers !== undefined) resolver.setServers(servers);
	return async (hostname) => {
		const answers = await Promise.allSettled([
			resolver.resolve4(hostname),
			resolver.resolve6(hostname),
		]);
		const addresses = answers.flatMap((answer) =>
			answer.status === "fulfilled" ? answer.value : [],
		);
		if (addresses.length === 0) throw new Error(`No address for ${hostname}.`);
		return addresses;
	};
}

/** The system's own look-up, hosts file and search domains included: for private networks. */
export const systemResolver: Resolve = async (hostname) => {
	const answers = await lookup(hostname, { all: true });
	return answers.map((answer) => answer.address);
};
