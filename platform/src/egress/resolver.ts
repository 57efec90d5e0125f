import { lookup, Resolver } from "node:dns/promises";

/** Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<string[]>;

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
/** How long one family is waited for once the other has brought addresses. */
const SECOND_FAMILY_MS = 500;

/** The system's look-up occupies one of four threads while a name server is silent: a few would stop all deliveries. */
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

/** Never settles while none has brought an address. */
function lateFamily(families: readonly Promise<string[]>[]): Promise<string[]> {
	return new Promise((resolve) => {
		for (const family of families)
			void family.then((addresses) => {
				if (addresses.length > 0)
					setTimeout(resolve, SECOND_FAMILY_MS, []).unref();
			});
	});
}

/** Knows the hosts file and search domains: for private networks. */
export const systemResolver: Resolve = async (hostname) => {
	const found = await lookup(hostname, { all: true });
	return found.map(({ address }) => address);
};
