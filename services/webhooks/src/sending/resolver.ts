import { lookup, Resolver } from "node:dns/promises";

/** Addresses of a host name, preferred first. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Longest wait for one response of a name server, ms, ... */
const QUERY_TIMEOUT_MS = 2_000;
/** ... and how often it is asked. */
const QUERY_TRIES = 2;
/** How long one family's addresses are waited for once the other has brought addresses, ms. */
const SECOND_FAMILY_MS = 500;

/**
 * Asks the name servers directly. The system's own look-up would occupy one of four threads for as
 * long as a name server is silent: a few customers' dead servers would stop everybody's deliveries.
 * A server that knows one family only costs {@link SECOND_FAMILY_MS}: all tries of the other may
 * take longer than an attempt. `servers` (`ip:port`) replace the system's.
 */
export function createDnsResolver(servers?: readonly string[]): Resolve {
	const resolver = new Resolver({
		timeout: QUERY_TIMEOUT_MS,
		tries: QUERY_TRIES,
	});
	if (servers !== undefined) resolver.setServers(servers);
	return async (hostname) => {
		const families = [
			resolver.resolve4(hostname).catch(() => []),
			resolver.resolve6(hostname).catch(() => []),
		];
		const late = lateFamily(families);
		const addresses = await Promise.all(
			families.map((family) => Promise.race([family, late])),
		);
		if (addresses.flat().length === 0)
			throw new Error(`No address for ${hostname}.`);
		return addresses.flat();
	};
}

/** Stands for a family that is late; never settles while none has brought an address. */
function lateFamily(families: readonly Promise<string[]>[]): Promise<string[]> {
	return new Promise((resolve) => {
		for (const family of families)
			void family.then((addresses) => {
				if (addresses.length > 0)
					setTimeout(resolve, SECOND_FAMILY_MS, []).unref();
			});
	});
}

/** The system's own look-up, hosts file and search domains included: for private networks. */
export const systemResolver: Resolve = async (hostname) => {
	const found = await lookup(hostname, { all: true });
	return found.map(({ address }) => address);
};
